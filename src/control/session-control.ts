import type { HeldMessage, InterceptMode, ReleaseCause } from '../intercept/held-message.ts';
import type { Direction, JsonText } from '../model/entry.ts';

/** What a session tells of itself to whoever looks at it. */
export interface LiveSessionFacts {
  readonly id: string;
  readonly label: string;
  readonly pid: number;
  readonly startedAtMs: number;
  readonly transport: string;
  /** The path of the trace that is being written; of the first part, if there are several. */
  readonly trace: string;
  /** The folder that it was started in. */
  readonly folder?: string | undefined;
}

/** How a session stands between the two sides at the moment. */
export interface HoldState {
  readonly mode: InterceptMode;
  /** What is held while the mode is `intercept`, as it was written; everything if absent. */
  readonly filter: string | undefined;
  readonly holdTimeoutMs: number;
  readonly failClosed: boolean;
}

/** What somebody wants done with a held message. */
export type RequestedDecision =
  | { readonly action: 'forward' }
  /** `confirmed` says that a text that is no JSON object is meant to be sent all the same. */
  | { readonly action: 'edit'; readonly text: string; readonly confirmed?: boolean | undefined }
  | { readonly action: 'drop' }
  /** The text of a result, or of an error object, for a request: the session makes the response of it. */
  | { readonly action: 'answer'; readonly result: JsonText }
  | { readonly action: 'answer'; readonly error: JsonText };

/** A message that somebody wants to be sent that neither side has said. */
export interface Injection {
  readonly direction: Direction;
  readonly text: string;
  readonly conversation?: number | undefined;
  readonly confirmed?: boolean | undefined;
}

/** What was done, and what is worth knowing about it: problems that are hints, not walls. */
export interface ActionResult {
  readonly hints: readonly string[];
}

/** What a session tells while it runs. */
export interface SessionListener {
  /** Lines were added to the trace, as they stand there, the first with this number. */
  onLines?(firstSeq: number, lines: readonly string[]): void;
  onHeld?(held: HeldMessage): void;
  onReleased?(release: ReleaseCause): void;
  onState?(state: HoldState): void;
  /** The session is over. */
  onEnd?(): void;
}

/**
 * A running session as those see it who watch and steer it. What cannot be done is thrown as a `ReelError` whose message
 * and hint are for the person who wanted it.
 */
export interface SessionControl {
  readonly facts: LiveSessionFacts;
  readonly state: HoldState;
  readonly held: readonly HeldMessage[];
  /** The number that the next line of the trace will have. */
  readonly nextSeq: number;
  /** Returns the means to stop listening. */
  listen(listener: SessionListener): () => void;
  /** Somebody decides from now on what becomes of held messages; returns the means to say that nobody does any more. */
  takeCharge(): () => void;
  setMode(mode: InterceptMode, filter?: string | undefined): Promise<ActionResult>;
  decide(id: string, requested: RequestedDecision): Promise<ActionResult>;
  inject(injection: Injection): Promise<ActionResult>;
  /** Writes the session file; returns its path. */
  save(path?: string | undefined): Promise<string>;
  /** Has the session end as Ctrl-C would: what is held goes on, and everything is kept. Not before this returns. */
  requestEnd(): void;
}
