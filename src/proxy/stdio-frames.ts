import { type Line, LineSplitter } from '../json/lines.ts';
import { elementsOf } from '../json/object-view.ts';
import { documentSpan } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';

/** What one line of a stdio stream turned out to be. */
export type Frame =
  | { readonly kind: 'message'; readonly text: JsonText }
  | { readonly kind: 'batch'; readonly texts: readonly JsonText[] }
  | { readonly kind: 'noise'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array };

/** Reads the copy of a stdio stream: one message, or one batch, per line. Blank lines say nothing. */
export class StdioFrames {
  readonly #lines = new LineSplitter();

  push(chunk: Uint8Array): Frame[] {
    return framesOf(this.#lines.push(chunk));
  }

  end(): Frame[] {
    return framesOf(this.#lines.end());
  }
}

function framesOf(lines: readonly Line[]): Frame[] {
  const frames: Frame[] = [];
  for (const line of lines) {
    if ('bytes' in line) frames.push({ kind: 'binary', bytes: line.bytes });
    else if (line.text.trim() !== '') frames.push(frameOf(line.text));
  }
  return frames;
}

function frameOf(line: string): Frame {
  const span = documentSpan(line);
  const text = span === undefined ? '' : line.slice(span.start, span.end);
  if (text.startsWith('{')) return { kind: 'message', text };
  const elements = text.startsWith('[') ? (elementsOf(text) ?? []) : [];
  const texts = elements.map(({ start, end }) => text.slice(start, end));
  const isBatch = texts.length > 0 && texts.every((element) => element.startsWith('{'));
  return isBatch ? { kind: 'batch', texts } : { kind: 'noise', text: line.replace(/\r$/, '') };
}
