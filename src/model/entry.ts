/** The entries of a session: messages, events and records of unknown types. */

/**
 * JSON exactly as received. It is never parsed and serialized again.
 *
 * @example
 * ```ts
 * import { entriesOf, type JsonText, readSession } from 'mcpreel';
 *
 * const texts: JsonText[] = [];
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'message') texts.push(entry.text);
 * }
 * console.log(texts.map((text) => JSON.parse(text).method));
 * ```
 */
export type JsonText = string;

/**
 * The sender and the receiver of a message.
 *
 * @example
 * ```ts
 * import { type Direction, entriesOf, readSession } from 'mcpreel';
 *
 * const ARROWS: Record<Direction, string> = { client_to_server: '>', server_to_client: '<' };
 *
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'message') console.log(ARROWS[entry.direction], entry.text);
 * }
 * ```
 */
export type Direction = 'client_to_server' | 'server_to_client';

export function opposite(direction: Direction): Direction {
  return direction === 'client_to_server' ? 'server_to_client' : 'client_to_server';
}

/** The direction as written in recordings. */
export function side(direction: Direction): 'in' | 'out' {
  return direction === 'client_to_server' ? 'in' : 'out';
}

/**
 * How JSON-RPC classifies a message.
 *
 * @example
 * ```ts
 * import { entriesOf, type MessageKind, readSession } from 'mcpreel';
 *
 * const kinds = new Set<MessageKind>();
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'message' && entry.envelope) kinds.add(entry.envelope.kind);
 * }
 * console.log([...kinds]);
 * ```
 */
export type MessageKind = 'request' | 'response' | 'notification' | 'invalid';

/**
 * The top-level fields that identify a JSON-RPC message.
 *
 * @example
 * ```ts
 * import { type Envelope, entriesOf, readSession } from 'mcpreel';
 *
 * const nameOf = ({ kind, method = kind, id = '' }: Envelope) => `${method} ${id}`;
 *
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'message' && entry.envelope) console.log(nameOf(entry.envelope));
 * }
 * ```
 */
export interface Envelope {
  readonly kind: MessageKind;
  /** The exact text of the id, if it is a string or a number. */
  readonly id: JsonText | undefined;
  readonly method: string | undefined;
}

/**
 * The span of a message's params, result or error in its text.
 *
 * @example
 * ```ts
 * import { entriesOf, type MessageBody, readSession } from 'mcpreel';
 *
 * const bodyIn = (text: string, { start, end }: MessageBody) => text.slice(start, end);
 *
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'message' && entry.body) console.log(bodyIn(entry.text, entry.body));
 * }
 * ```
 */
export interface MessageBody {
  readonly key: 'params' | 'result' | 'error';
  readonly start: number;
  readonly end: number;
}

/**
 * File fields that the format defines and the model does not, each as the text of one object. Writing the session in
 * the same format restores them; other formats carry them along. A field with the name of one that the writer generates
 * replaces it, such as a time with more digits than milliseconds.
 *
 * @example
 * ```ts
 * import { type Keepsakes, readSession } from 'mcpreel';
 *
 * const { header } = await readSession('session.json');
 * const unknown: Keepsakes = header.keepsakes ?? {};
 * console.log(unknown.session, unknown.trace);
 * ```
 */
export interface UnknownFields {
  readonly session?: JsonText | undefined;
  readonly trace?: JsonText | undefined;
  /** From an entry of an HTTP transcript, or from the transcript itself: times, transport context, headers. */
  readonly transcript?: JsonText | undefined;
}

/**
 * One JSON-RPC message as it crossed the wire.
 *
 * An entry records only what was observed. Timing and classifying calls belong to `analysis/`.
 *
 * @example
 * ```ts
 * import { entriesOf, type MessageEntry, readSession } from 'mcpreel';
 *
 * const isEdited = ({ original, text }: MessageEntry) => original !== undefined && original !== text;
 *
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'message' && isEdited(entry)) console.log(entry.sequence);
 * }
 * ```
 */
export interface MessageEntry {
  readonly kind: 'message';
  /** Position among the session's messages, from 0, without gaps. */
  readonly sequence: number;
  /** A globally unique id of this message. */
  readonly proxyId: string;
  /** When the proxy read the last byte of the message, in epoch milliseconds. */
  readonly atMs: number;
  readonly direction: Direction;
  /** The exact text that was forwarded: a JSON object. */
  readonly text: JsonText;
  /** The envelope of `text`, if the code that created this entry has read it already. */
  readonly envelope?: Envelope | undefined;
  /**
   * The span of its params, result or error, if already known. Also absent if the message has more than one of them.
   */
  readonly body?: MessageBody | undefined;
  /** The proxy id of the request that this response answers. */
  readonly correlatedId?: string | undefined;
  /** Whether the forwarded text differs from the received one. */
  readonly modified?: boolean | undefined;
  /** The received text of a modified message. */
  readonly original?: JsonText | undefined;
  /** The forwarded text if it is deliberately not a JSON object; `text` is then the original. */
  readonly sentText?: string | undefined;
  /** Whether the message was not delivered to its receiver. */
  readonly dropped?: boolean | undefined;
  /** Whether mcpreel or its user sent the message, and neither the client nor the server did. */
  readonly injected?: boolean | undefined;
  /** The conversation (one client's dialogue) of the message in a session with several. Default: 0. */
  readonly conversation?: number | undefined;
  /** `{"frame":5,"index":0,"of":3}` for one message of a batch. */
  readonly batch?: JsonText | undefined;
  /** `{"exchange":3}` for a message that was sent over HTTP. */
  readonly http?: JsonText | undefined;
  /** `{"event":"message","id":"evt-10"}` for a message from an event stream. */
  readonly sse?: JsonText | undefined;
  /** The line, element or entry (from 1) of the transcript that the message was read from. */
  readonly sourceLine?: number | undefined;
  /** `["in",4711]`: the stream of the line and the offset after it, if it was recorded from a journal. */
  readonly upTo?: JsonText | undefined;
  readonly keepsakes?: UnknownFields | undefined;
}

/** The text of `batch`: the sequence of the batch's first message, the index in the batch, and the batch's length. */
export function batchText(frame: number, index: number, of: number): JsonText {
  return `{"frame":${frame},"index":${index},"of":${of}}`;
}

/**
 * An event that is not a message: a stderr line, stray output, an HTTP exchange, an action, a gap.
 *
 * @example
 * ```ts
 * import { entriesOf, type EventEntry, readSession } from 'mcpreel';
 *
 * const isStderr = ({ event }: EventEntry) => event === 'stdio.stderr';
 *
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'event' && isStderr(entry)) console.log(JSON.parse(entry.raw).text);
 * }
 * ```
 */
export interface EventEntry {
  readonly kind: 'event';
  /**
   * `stdio.stderr`, `stdio.noise`, `http.exchange`, `http.event`, `mcpreel.action`, `mcpreel.gap`, or another tool's
   * name for the event.
   */
  readonly event: string;
  /** When it happened, in epoch milliseconds. */
  readonly atMs: number;
  /** The event's data: the text of an object, or of any value that another tool wrote. */
  readonly raw: JsonText;
  /**
   * The conversation of the event in a session with several. Without it, an HTTP exchange belongs to conversation 0 and
   * any other event to the whole session.
   */
  readonly conversation?: number | undefined;
  /** `["in",4711]`: the stream of the line and the offset after it, if it was recorded from a journal. */
  readonly upTo?: JsonText | undefined;
  readonly keepsakes?: UnknownFields | undefined;
}

/**
 * A record that mcpreel has no model for (a turn, a second header, an unknown type), kept unchanged.
 *
 * @example
 * ```ts
 * import { entriesOf, type OtherEntry, readSession } from 'mcpreel';
 *
 * const others: OtherEntry[] = [];
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'other') others.push(entry);
 * }
 * ```
 */
export interface OtherEntry {
  readonly kind: 'other';
  /** The record's own `type`, if it has one. */
  readonly type: string | undefined;
  /** In epoch milliseconds. */
  readonly atMs: number;
  readonly text: JsonText;
}

/**
 * One line of a trace: a message, an event or a record of an unknown type.
 *
 * @example
 * ```ts
 * import { type Entry, entriesOf, readSession } from 'mcpreel';
 *
 * const entries: Entry[] = [];
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   entries.push(entry);
 * }
 * ```
 */
export type Entry = MessageEntry | EventEntry | OtherEntry;

/** Whether an entry is a message whose text was sent, and not other text in its place. */
export function isSentMessage(entry: Entry): entry is MessageEntry {
  return entry.kind === 'message' && entry.sentText === undefined;
}

/** The exact text of an entry; for a message, the forwarded text. */
export function exactText(entry: Entry): string {
  if (entry.kind === 'event') return entry.raw;
  return entry.kind === 'message' ? (entry.sentText ?? entry.text) : entry.text;
}
