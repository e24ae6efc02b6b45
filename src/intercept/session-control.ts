import type { Direction, JsonText } from '../model/entry.ts';
import type { HeldMessage, InterceptMode, Settlement } from './held-message.ts';

/** Facts about a running session that do not change. */
export interface LiveSessionFacts {
  readonly id: string;
  readonly label: string;
  readonly pid: number;
  readonly startedAtMs: number;
  readonly transport: string;
  /** The path of the trace file being written; of its first part, if there are several. */
  readonly trace: string;
  /** The folder that the session was started in. */
  readonly folder?: string | undefined;
}

/** The current interception settings of a session. */
export interface HoldState {
  readonly mode: InterceptMode;
  /** The filter expression that selects messages to hold in `intercept` mode. If absent, all are held. */
  readonly filter: string | undefined;
  readonly holdTimeoutMs: number;
  readonly failClosed: boolean;
}

/** A control client's decision on a held message. */
export type RequestedDecision =
  | { readonly action: 'forward' }
  /** `confirmed` allows a text that is not a JSON object. */
  | { readonly action: 'edit'; readonly text: string; readonly confirmed?: boolean | undefined }
  | { readonly action: 'drop' }
  /** The text of a result or an error object. The session builds the response to the request from it. */
  | { readonly action: 'answer'; readonly result: JsonText }
  | { readonly action: 'answer'; readonly error: JsonText };

/** A message that a control client sends into the session. */
export interface Injection {
  readonly direction: Direction;
  readonly text: string;
  readonly conversation?: number | undefined;
  readonly confirmed?: boolean | undefined;
}

/** The outcome of an action, with warnings that did not prevent it. */
export interface ActionResult {
  readonly hints: readonly string[];
}

/** What control clients learn about a message that is no longer held. */
export type ReleaseReport = Required<Pick<Settlement, 'id' | 'decision' | 'by' | 'heldMs'>>;

/** Receives the events of a running session. */
export interface SessionListener {
  /** Lines were appended to the trace file. `firstSeq` is the number of the first one. */
  onLines?(firstSeq: number, lines: readonly string[]): void;
  onHeld?(held: HeldMessage): void;
  onReleased?(release: ReleaseReport): void;
  onState?(state: HoldState): void;
  onEnd?(): void;
}

/**
 * Controls a running session: watch it, decide on held messages, inject messages, end it. A failed action throws a
 * `ReelError` whose message and hint are meant for the user.
 */
export interface SessionControl {
  readonly facts: LiveSessionFacts;
  readonly state: HoldState;
  readonly held: readonly HeldMessage[];
  /** The number of the next line of the trace file. */
  readonly nextSeq: number;
  /** Returns a function that removes the listener. */
  listen(listener: SessionListener): () => void;
  /** Registers a client that decides on held messages. The returned function unregisters it. */
  takeCharge(): () => void;
  setMode(mode: InterceptMode, filter?: string | undefined): Promise<ActionResult>;
  decide(id: string, requested: RequestedDecision): Promise<ActionResult>;
  inject(injection: Injection): Promise<ActionResult>;
  /** Writes the session file, and returns its path. */
  save(path?: string | undefined): Promise<string>;
  /**
   * Ends the session as Ctrl-C would: held messages are forwarded, and everything is saved. Returns before that
   * happens.
   */
  requestEnd(): void;
}
