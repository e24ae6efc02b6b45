import type { TextSpan } from '../../json/scan.ts';
import { UP_TO_SPACE } from '../detect/assignment-patterns.ts';
import { NextOffsets } from '../detect/next-offsets.ts';
import { MAX_TABLE } from './tables.ts';

/** The least that is removed after a place that may hold a secret. */
const BLOCK = 4096;
/** The least that is left of a block when a secret begins that may end after it. */
export const LAST_PART = 512;
/** Patterns that look back look no further. */
const BEFORE = 640;
/** Longer lines are no lines of settings. */
const MAX_LINE = 1 << 13;
/** Longer words are data. */
const MAX_WORD = 1 << 16;

/** Finds what to remove around places that are too many to be judged one by one. */
export class TextBlocks {
  readonly #text: string;
  readonly #next: NextOffsets;

  constructor(text: string) {
    this.#text = text;
    this.#next = new NextOffsets(text);
  }

  /** A part of the text that contains any secret that an item at an offset may lead to. */
  around(by: string, at: number): TextSpan {
    const start = by === 'shape' ? Math.max(0, at - BEFORE) : at;
    const end = this.#lineEnd(at);
    if (by === 'insert') return { start, end: Math.max(end, Math.min(this.#next.of(';\n', end), at + MAX_TABLE)) };
    return { start, end: by === 'table' ? this.#tableEnd(end, at + MAX_TABLE) : end };
  }

  #lineEnd(at: number): number {
    const end = Math.min(this.#text.length, at + BLOCK);
    const lineEnd = this.#next.of('\n', end);
    return lineEnd - at <= MAX_LINE ? lineEnd : Math.min(this.#next.endOfRun(UP_TO_SPACE, end), at + MAX_WORD);
  }

  /** The end of the rows that follow. */
  #tableEnd(from: number, limit: number): number {
    let end = from;
    while (end < limit && end < this.#text.length) {
      const lineEnd = this.#next.of('\n', end + 1);
      if (this.#next.of('|', end + 1) > lineEnd) break;
      end = lineEnd;
    }
    return Math.min(end, Math.max(from, limit));
  }
}
