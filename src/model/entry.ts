/** JSON as it was seen, character by character. Never parsed and written again. */
export type JsonText = string;

/** Who speaks, and to whom. */
export type Direction = 'client_to_server' | 'server_to_client';

export function opposite(direction: Direction): Direction {
  return direction === 'client_to_server' ? 'server_to_client' : 'client_to_server';
}

/** What JSON-RPC takes a message for. */
export type MessageKind = 'request' | 'response' | 'notification' | 'invalid';

/** What a JSON-RPC message says about itself at its top level. */
export interface Envelope {
  readonly kind: MessageKind;
  /** The exact text of its id, if that is a string or a number. */
  readonly id: JsonText | undefined;
  readonly method: string | undefined;
}

/** Where the substance of a message stands in its text. */
export interface MessageBody {
  readonly key: 'params' | 'result' | 'error';
  readonly start: number;
  readonly end: number;
}

/**
 * Members of a file that its format knows and the model does not, as the text of one object each. They come back when
 * the session is written in that format again, and other formats carry them along. A member with the name of one that
 * the writer makes itself (a time with more digits than milliseconds, say) stands in its place.
 */
export interface UnknownFields {
  readonly session?: JsonText | undefined;
  readonly trace?: JsonText | undefined;
  /** Of an entry of an HTTP transcript, or of the transcript itself: times, transport context, headers. */
  readonly transcript?: JsonText | undefined;
}

/**
 * One JSON-RPC message as it crossed the wire.
 *
 * It states what was seen, never what it means: timing a call and judging it belong to `analysis/`.
 */
export interface MessageEntry {
  readonly kind: 'message';
  /** Position among the session's messages, from 0, without gaps. */
  readonly sequence: number;
  /** Names this message within and beyond the session. */
  readonly proxyId: string;
  /** When the proxy read the last byte of it, in epoch milliseconds. */
  readonly atMs: number;
  readonly direction: Direction;
  /** The exact text that was forwarded: a JSON object. */
  readonly text: JsonText;
  /** The envelope of `text`, where whoever made this entry has read it already. */
  readonly envelope?: Envelope | undefined;
  /** Likewise where its params, result or error stands; absent also where it has more than one of them. */
  readonly body?: MessageBody | undefined;
  /** The proxy id of the request that this response answers. */
  readonly correlatedId?: string | undefined;
  /** Whether another text was forwarded than the one that was seen. */
  readonly modified?: boolean | undefined;
  /** The text that was seen, of a modified message. */
  readonly original?: JsonText | undefined;
  /** What was forwarded where it is no JSON object, sent on purpose; `text` is then the original. */
  readonly sentText?: string | undefined;
  /** Whether it never reached the other side. */
  readonly dropped?: boolean | undefined;
  /** Whether neither side sent it: somebody between them did. */
  readonly injected?: boolean | undefined;
  /** Which client's dialogue it belongs to, where a session has several. 0 if absent. */
  readonly conversation?: number | undefined;
  /** `{"frame":5,"index":0,"of":3}` for one message of a batch. */
  readonly batch?: JsonText | undefined;
  /** `{"exchange":3}` for a message that came over HTTP. */
  readonly http?: JsonText | undefined;
  /** `{"event":"message","id":"evt-10"}` for a message from an event stream. */
  readonly sse?: JsonText | undefined;
  /** The line, element or entry (from 1) of the transcript that it was read from. */
  readonly sourceLine?: number | undefined;
  readonly keepsakes?: UnknownFields | undefined;
}

/** What `batch` says of a message: the number of the batch's first one, its own place in there, and how many there are. */
export function batchText(frame: number, index: number, of: number): JsonText {
  return `{"frame":${frame},"index":${index},"of":${of}}`;
}

/** Something that happened beside the messages: a line on stderr, noise, an HTTP exchange, an action, a gap. */
export interface EventEntry {
  readonly kind: 'event';
  /**
   * `stdio.stderr`, `stdio.noise`, `http.exchange`, `http.event`, `mcpreel.action`, `mcpreel.gap`, or what another tool
   * calls it.
   */
  readonly event: string;
  /** When it happened, in epoch milliseconds. */
  readonly atMs: number;
  /** What is known of it: the text of an object, or of what else another tool wrote. */
  readonly raw: JsonText;
  /** Which client's dialogue it belongs to, where a session has several. If absent 0 for an HTTP exchange, the whole for all else. */
  readonly conversation?: number | undefined;
  readonly keepsakes?: UnknownFields | undefined;
}

/** A record that mcpreel has no model for (a turn, a second header, an unknown type), kept as it was. */
export interface OtherEntry {
  readonly kind: 'other';
  /** What the record calls itself, if it does. */
  readonly type: string | undefined;
  /** In epoch milliseconds. */
  readonly atMs: number;
  readonly text: JsonText;
}

/** One line of a trace: a message, or something beside the messages. */
export type Entry = MessageEntry | EventEntry | OtherEntry;

/** The exact text of an entry; of a message the one that was forwarded. */
export function exactText(entry: Entry): string {
  if (entry.kind === 'event') return entry.raw;
  return entry.kind === 'message' ? (entry.sentText ?? entry.text) : entry.text;
}
