import type { Direction, JsonText } from '../model/entry.ts';

/** Whether messages are held that somebody wants to see before they are passed on. */
export type InterceptMode = 'passthrough' | 'intercept';

/** A message that stands before a gate. */
export interface IncomingMessage {
  readonly direction: Direction;
  /** The exact text that was seen. */
  readonly text: JsonText;
  readonly atMs: number;
  /** Which client's dialogue it belongs to; 0 where there is but one. */
  readonly conversation: number;
  /** The HTTP exchange that it came in. */
  readonly exchange?: number | undefined;
}

/** What is to become of a message. */
export type Decision =
  | { readonly action: 'forward' }
  /** Another text goes in its place, which may be no JSON at all. */
  | { readonly action: 'edit'; readonly text: string }
  | { readonly action: 'drop' }
  /** It goes no further, and whoever sent it gets this response. */
  | { readonly action: 'answer'; readonly text: JsonText };

/** Why something was decided: by a person or program at the other end of the socket, or because nobody did. */
export type DecidedBy = 'screen' | 'timeout' | 'screen gone' | 'mode' | 'end';

/** A message that waits for a decision. */
export interface HeldMessage extends IncomingMessage {
  /** The proxy id that it will be recorded under. */
  readonly id: string;
  /** When it is released if nobody decides. */
  readonly untilMs: number;
  /** The rule that holds it, where it is not the mode. */
  readonly rule?: string | undefined;
  /** What goes on if it is forwarded, where rules have changed it. */
  readonly changedText?: JsonText | undefined;
}

/** What became of a message that was held. */
export interface ReleaseCause {
  readonly id: string;
  readonly decision: Decision;
  readonly by: DecidedBy;
  readonly heldMs: number;
}

/** What a gate is told about a message that it asked for. */
export interface MessageOutcome {
  readonly decision: Decision;
  /** The id to record it under, where it was given one. */
  readonly id?: string | undefined;
}

/** A message that was asked about, and what became of it. */
export interface JudgedMessage extends MessageOutcome {
  /** The exact text that was seen. */
  readonly text: JsonText;
}

/** Messages that came as one, and what became of each. */
export interface JudgedFrame {
  readonly isBatch: boolean;
  readonly messages: readonly JudgedMessage[];
}
