import { decodeUtf8 } from '../../json/lines.ts';
import type { JsonText } from '../../model/entry.ts';
import { type SseItem, SseStream } from '../../protocol/sse/sse-stream.ts';
import { eventText } from '../../protocol/sse/sse-text.ts';
import { NOT_UTF8, type WatchedText, watchedData } from '../../protocol/watched-text.ts';

const LINES = /([^\r\n]*)(\r\n|\n|\r|$)/g;
const LINE_BREAK = /\r\n|\n|\r/;

/** Parses the bytes of exactly one event; `undefined` otherwise. */
export function eventIn(bytes: Uint8Array, isFirst: boolean): SseItem | undefined {
  const text = textOf(bytes);
  // Only the first line of a stream may start with a byte order mark.
  const [item, ...others] = new SseStream().push(isFirst ? text : `\n${text}`);
  return others.length === 0 ? item : undefined;
}

/** An event that was to be judged: the messages in it, or why they cannot be read. */
export type WatchedEvent =
  | (Extract<WatchedText, { kind: 'messages' }> & { readonly event: SseItem })
  | Exclude<WatchedText, { kind: 'messages' }>;

/** Some clients also end a line at these characters, and would read what follows as a line of data. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const OTHER_LINE_END = /[\v\f\x1c-\x1e\x85\u2028\u2029]/;

function hasOtherLineEnds(text: string): boolean {
  if (!OTHER_LINE_END.test(text)) return false;
  for (let at = text.indexOf('data'); at >= 0; at = text.indexOf('data', at + 1)) {
    for (let before = at - 1; before >= 0; before--) {
      const char = text.charAt(before);
      if (OTHER_LINE_END.test(char)) return true;
      if (!/\s/.test(char)) break;
    }
  }
  return false;
}

/** Reads an event or a comment. */
export function watchedEvent(bytes: Uint8Array, isFirst: boolean): WatchedEvent {
  const text = textOf(bytes);
  const isUtf8 = decodeUtf8(bytes) !== undefined;
  const doubt = isUtf8 ? (hasOtherLineEnds(text) ? 'its line ends are not those of an event' : undefined) : NOT_UTF8;
  if (text.startsWith(':')) return doubt === undefined ? { kind: 'other' } : { kind: 'unread', why: doubt };
  // The last event of a stream may lack its end.
  const event = eventIn(bytes, isFirst) ?? eventIn(Buffer.from(`${text}\n\n`), isFirst);
  if (event?.data !== undefined) {
    const read = watchedData(event.data);
    if (read.kind === 'messages') return { ...read, event, doubt };
    return doubt === undefined ? read : { kind: 'unread', why: doubt };
  }
  if (doubt !== undefined) return { kind: 'unread', why: doubt };
  return text.includes('{') ? { kind: 'unread', why: 'it is not an event with data' } : { kind: 'other' };
}

/** Replaces the data of an event, and keeps its name, id and all else. */
export function withData(bytes: Uint8Array, data: string): Uint8Array {
  let sent = false;
  return changedLines(bytes, (line, lineEnd) => {
    const [field] = /^\uFEFF?data(?:: ?|$)/.exec(line) ?? [];
    if (field === undefined) return line + lineEnd;
    if (sent) return '';
    sent = true;
    const start = field.includes(':') ? field : `${field}: `;
    return data
      .split(LINE_BREAK)
      .map((part) => start + part + lineEnd)
      .join('');
  });
}

/**
 * The remainder of a dropped event: its id, so that a reconnecting client does not request it again. Clients ignore an
 * event without a data line. Since revision 2025-11-25 they know events with empty data, and many store an id only from
 * such an event.
 */
export function withoutData(bytes: Uint8Array, knowsEmptyData: boolean): Uint8Array | undefined {
  let hasId = false;
  const left = changedLines(bytes, (line, lineEnd) => {
    if (line === '') return lineEnd;
    if (!/^\uFEFF?(?:id|retry)(?::|$)/.test(line)) return '';
    if (!/^\uFEFF?id/.test(line)) return line + lineEnd;
    const data = knowsEmptyData && !hasId ? `data:${lineEnd}` : '';
    hasId = true;
    return line + lineEnd + data;
  });
  return hasId ? left : undefined;
}

/** Encodes a message as an event. */
export function eventOf(text: JsonText): Uint8Array {
  return Buffer.from(eventText('message', text));
}

function changedLines(bytes: Uint8Array, change: (line: string, lineEnd: string) => string): Uint8Array {
  let changed = '';
  for (const [, line = '', lineEnd = ''] of textOf(bytes).matchAll(LINES)) {
    const piece = change(line, lineEnd);
    // After a line is removed, a CR and the LF of a blank line could join into one line break.
    changed += changed.endsWith('\r') && piece.startsWith('\n') ? `\n${piece}` : piece;
  }
  return Buffer.from(changed);
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
}
