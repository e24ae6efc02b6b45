import type { Direction, JsonText } from '../model/entry.ts';

/** Whether mcpreel forwards every message at once or holds the selected ones for a decision. */
export type InterceptMode = 'passthrough' | 'intercept';

/** A message that has reached a gate and is not forwarded yet. */
export interface HeldMessage {
  /** The proxy id that it is recorded under. Empty for a message that neither the mode nor a rule has stopped. */
  readonly id: string;
  readonly direction: Direction;
  /** The exact text as received. */
  readonly text: JsonText;
  readonly atMs: number;
  /** The client conversation that it belongs to; 0 if there is only one. */
  readonly conversation: number;
  /** The number of the HTTP exchange that carried it. */
  readonly exchange?: number | undefined;
  /** Whether it arrived in a batch. */
  readonly inBatch?: boolean | undefined;
  /** Why its receiver may read it differently from mcpreel, if that is so. */
  readonly doubt?: string | undefined;
  /** When it is released if no decision arrives. */
  readonly untilMs: number;
  /** The rule that holds it; absent if the mode holds it. */
  readonly rule?: string | undefined;
  /** The text to forward instead, if rules changed the message. */
  readonly changedText?: JsonText | undefined;
}

/** Traffic that mcpreel cannot read, but its receiver might act on. */
export interface UnreadTraffic extends Pick<HeldMessage, 'direction' | 'conversation' | 'exchange'> {
  readonly why: string;
  /** The id of the message, if only its meaning is in doubt. */
  readonly of?: string | undefined;
}

/** What to do with a message. */
export type Decision =
  | { readonly action: 'forward' }
  /** Sends this text instead, which need not be valid JSON. */
  | { readonly action: 'edit'; readonly text: string }
  /** `why` says why it cannot be checked, if that is the reason. */
  | { readonly action: 'drop'; readonly why?: string | undefined }
  /** Does not forward the request, and returns this response to its sender. */
  | { readonly action: 'answer'; readonly text: JsonText };

/** What became of a message at a gate. Messages that arrived together are settled together, in a list. */
export interface Settlement extends Pick<HeldMessage, 'id' | 'text' | 'atMs' | 'inBatch'> {
  readonly decision: Decision;
  /** What decided on a held message: a control client (`screen`), its disconnection, a timeout, a mode change or an end. */
  readonly by?: 'screen' | 'timeout' | 'screen gone' | 'mode' | 'end';
  readonly heldMs?: number;
}
