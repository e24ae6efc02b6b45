import type { JsonText } from '../../model/entry.ts';
import { type SseItem, SseStream } from '../../protocol/sse/sse-stream.ts';
import { eventText } from '../../protocol/sse/sse-text.ts';

const LINES = /([^\r\n]*)(\r\n|\n|\r)/g;
const LINE_BREAK = /\r\n|\n|\r/;

/** What an event says, if its bytes are one event. */
export function eventIn(bytes: Uint8Array, isFirst: boolean): SseItem | undefined {
  const text = textOf(bytes);
  // Only the first line of a stream may have a byte order mark before it.
  const [item, ...others] = new SseStream().push(isFirst ? text : `\n${text}`);
  return others.length === 0 ? item : undefined;
}

/** An event that says something else, and has its name, its id and everything else as it was. */
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
 * What is left of an event that goes no further: its id, so that a client that comes back does not ask for it again.
 * Without data nobody takes it for an event; since 2025-11-25 clients know events whose data is empty, and many take note
 * of an id only with such.
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

/** A message of ours as an event. */
export function eventOf(text: JsonText): Uint8Array {
  return Buffer.from(eventText('message', text));
}

function changedLines(bytes: Uint8Array, change: (line: string, lineEnd: string) => string): Uint8Array {
  let changed = '';
  for (const [, line = '', lineEnd = ''] of textOf(bytes).matchAll(LINES)) {
    const piece = change(line, lineEnd);
    // With a line gone from between them, a return and the feed of a blank line would become the end of one line.
    changed += changed.endsWith('\r') && piece.startsWith('\n') ? `\n${piece}` : piece;
  }
  return Buffer.from(changed);
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
}
