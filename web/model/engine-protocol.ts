import type { Engine } from './engine.ts';
import type { ShownFacts, TimelineFacts } from './timeline/timeline-facts.ts';

/** The queries that the page can send to the engine: the engine's methods, by name. */
export type EngineQuestion = {
  [K in keyof Engine]: Engine[K] extends (...given: never[]) => unknown ? K : never;
}[keyof Engine];

export interface ToEngine {
  readonly ref: number;
  readonly method: EngineQuestion;
  readonly given: readonly unknown[];
}

export type FromEngine =
  | { readonly tells: 'film'; readonly timeline: TimelineFacts }
  | { readonly tells: 'shown'; readonly shown: ShownFacts }
  | { readonly ref: number; readonly result: unknown }
  | { readonly ref: number; readonly fault: string };

/** The engine as the page sees it: every method returns a promise. */
export type RemoteEngine = {
  readonly [K in EngineQuestion]: Engine[K] extends (...given: infer A) => infer R
    ? (...given: A) => Promise<Awaited<R>>
    : never;
};
