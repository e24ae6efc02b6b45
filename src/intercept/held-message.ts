import type { Direction, JsonText } from '../model/entry.ts';

/** Whether mcpreel forwards every message at once or holds the selected ones for a decision. */
export type InterceptMode = 'passthrough' | 'intercept';

/** A message that has reached a gate and is not forwarded yet. */
export interface IncomingMessage {
  readonly direction: Direction;
  /** The exact text as received. */
  readonly text: JsonText;
  readonly atMs: number;
  /** The client conversation that it belongs to; 0 if there is only one. */
  readonly conversation: number;
  /** The number of the HTTP exchange that carried it. */
  readonly exchange?: number | undefined;
}

/** What to do with a message. */
export type Decision =
  | { readonly action: 'forward' }
  /** Sends this text instead, which need not be valid JSON. */
  | { readonly action: 'edit'; readonly text: string }
  | { readonly action: 'drop' }
  /** Does not forward the request, and returns this response to its sender. */
  | { readonly action: 'answer'; readonly text: JsonText };

/** What caused a decision: a control client (`screen`), its disconnection, a timeout, a mode change or an end. */
export type DecidedBy = 'screen' | 'timeout' | 'screen gone' | 'mode' | 'end';

/** A message that is held until it is decided. */
export interface HeldMessage extends IncomingMessage {
  /** The proxy id that it is recorded under. */
  readonly id: string;
  /** When it is released if no decision arrives. */
  readonly untilMs: number;
  /** The rule that holds it; absent if the mode holds it. */
  readonly rule?: string | undefined;
  /** The text to forward instead, if rules changed the message. */
  readonly changedText?: JsonText | undefined;
}

/** How and why a held message was released. */
export interface ReleaseCause {
  readonly id: string;
  readonly decision: Decision;
  readonly by: DecidedBy;
  readonly heldMs: number;
}

/** What the interceptor reports to a gate about a message. */
export interface MessageOutcome {
  readonly decision: Decision;
  /** The id to record it under, if it was held or ruled on. */
  readonly id?: string | undefined;
}

/** A message and its outcome. */
export interface JudgedMessage extends MessageOutcome {
  /** The exact text as received. */
  readonly text: JsonText;
}

/** The messages of one frame, with the outcome of each. */
export interface JudgedFrame {
  readonly isBatch: boolean;
  readonly messages: readonly JudgedMessage[];
}
