import type { Line } from '../json/lines.ts';
import { elementsOf } from '../json/object-view.ts';
import { documentSpan, skipSpace } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { type Glance, glanceAt } from '../protocol/envelope.ts';
import type { LongLine } from './bounded-lines.ts';

/** What one line of a stdio stream turned out to be. */
export type Frame =
  | { readonly kind: 'message'; readonly text: JsonText; readonly glance: Glance }
  | { readonly kind: 'batch'; readonly texts: readonly JsonText[] }
  | { readonly kind: 'noise'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
  | ({ readonly kind: 'long' } & LongLine);

/** What JSON calls white space: any other is something that was said. */
const BLANK = /^[ \t\r]*$/;

/** What a line of a stdio stream is: a message, a batch, or something else. A blank one says nothing. */
export function frameOf(line: Line | LongLine): Frame | undefined {
  if ('text' in line) return frameOfText(line.text);
  return 'sha256' in line ? { kind: 'long', ...line } : { kind: 'binary', bytes: line.bytes };
}

function frameOfText(line: string): Frame | undefined {
  const frame = messageIn(line) ?? batchIn(line);
  if (frame !== undefined || BLANK.test(line)) return frame;
  return { kind: 'noise', text: line.replace(/\r$/, '') };
}

function messageIn(line: string): Frame | undefined {
  const glance = glanceAt(line);
  return glance === undefined ? undefined : { kind: 'message', text: withoutSpaceAround(line), glance };
}

/** A carriage return at the end, most likely. */
function withoutSpaceAround(line: string): JsonText {
  return line.startsWith('{') && line.endsWith('}') ? line : line.trim();
}

function batchIn(line: string): Frame | undefined {
  const span = line.charAt(skipSpace(line, 0)) === '[' ? documentSpan(line) : undefined;
  const text = span === undefined ? '' : line.slice(span.start, span.end);
  const elements = text === '' ? [] : (elementsOf(text) ?? []);
  const texts = elements.map(({ start, end }) => text.slice(start, end));
  const isBatch = texts.length > 0 && texts.every((element) => element.startsWith('{'));
  return isBatch ? { kind: 'batch', texts } : undefined;
}
