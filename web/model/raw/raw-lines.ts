import type { Source } from '../../../src/formats/format.ts';
import { decodeUtf8, findInvalidUtf8 } from '../../../src/json/lines.ts';
import type { WorkPace } from '../pace.ts';

/** How a line ended: with LF, with CRLF, or without a line ending. */
export type LineEnding = 'lf' | 'crlf' | 'none';

/** One line of a file, exactly as it is. */
export interface RawLine {
  /** Starts at 1. */
  readonly number: number;
  readonly text: string;
  /** The size of the whole line in bytes, without its ending. */
  readonly bytes: number;
  /** Whether the line is longer than `text`. */
  readonly isCut: boolean;
  readonly ending: LineEnding;
  /** The offset of the first byte that is not UTF-8. From there on, the text has replacement characters. */
  readonly faultAt: number | undefined;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** The maximum number of bytes returned when the caller does not need the whole line. */
const CUT_BYTES = 2048;
/** Lines within this many bytes are read at once. */
const TOGETHER_BYTES = 1 << 20;

/** The lines of a file by number. It finds all line starts once, chunk by chunk, and reads lines on demand. */
export class RawLines {
  readonly #source: Source;
  #starts = new Float64Array(1024);
  #count = 0;
  #scanned = 0;
  #scanning: Promise<void> | undefined;
  #lastByte = LINE_FEED;

  constructor(source: Source) {
    this.#source = source;
  }

  /** The number of lines found so far. */
  get count(): number {
    return this.#count;
  }

  get isComplete(): boolean {
    return this.#scanned >= this.#source.size;
  }

  scan(pace: WorkPace): Promise<void> {
    this.#scanning ??= this.#scan(pace);
    return this.#scanning;
  }

  /** Lines `from` up to `to`, counted from 0; long lines are cut. */
  async read(from: number, to: number): Promise<RawLine[]> {
    const last = Math.min(to, this.#count);
    if (from >= last) return [];
    const start = this.#startOf(from);
    const end = this.#startOf(last);
    if (end - start > TOGETHER_BYTES) {
      const lines: RawLine[] = [];
      for (let line = from; line < last; line++) lines.push(await this.line(line, CUT_BYTES));
      return lines;
    }
    const bytes = await bytesOf(this.#source, start, end);
    return Array.from({ length: last - from }, (_, n) => {
      const at = this.#startOf(from + n) - start;
      const next = this.#startOf(from + n + 1) - start;
      return wholeLine(from + n + 1, bytes.subarray(at, next), CUT_BYTES);
    });
  }

  /** One line, counted from 0, limited to `max` bytes. */
  async line(line: number, max: number = Number.POSITIVE_INFINITY): Promise<RawLine> {
    const start = this.#startOf(line);
    const end = this.#startOf(line + 1);
    const length = end - start;
    if (length <= max + 2) return wholeLine(line + 1, await bytesOf(this.#source, start, end), max);
    const head = await bytesOf(this.#source, start, start + max);
    return lineOf(line + 1, head, length, endingOf(await bytesOf(this.#source, end - 2, end)));
  }

  #startOf(line: number): number {
    return line < this.#count ? (this.#starts[line] ?? 0) : this.#scanned;
  }

  async #scan(pace: WorkPace): Promise<void> {
    for await (const chunk of this.#source.read(0, this.#source.size)) {
      // A chunk begins a new line if the previous chunk ended with a line feed.
      if (this.#lastByte === LINE_FEED && chunk.length > 0) this.#begin(this.#scanned);
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) {
        if (at + 1 < chunk.length) this.#begin(this.#scanned + at + 1);
      }
      this.#lastByte = chunk.at(-1) ?? this.#lastByte;
      this.#scanned += chunk.length;
      if (pace.isOver) await pace.rest();
    }
  }

  #begin(offset: number): void {
    if (this.#count === this.#starts.length) {
      const wider = new Float64Array(this.#starts.length * 2);
      wider.set(this.#starts);
      this.#starts = wider;
    }
    this.#starts[this.#count++] = offset;
  }
}

function wholeLine(number: number, line: Uint8Array, max: number): RawLine {
  const ending = endingOf(line);
  const content = Math.min(max, line.length - ending.length);
  return lineOf(number, line.subarray(0, content), line.length, ending);
}

/** The line with this beginning and this length in bytes, including its ending. */
function lineOf(number: number, head: Uint8Array, length: number, ending: LineBreak): RawLine {
  const bytes = length - ending.length;
  const isCut = head.length < bytes;
  const line = { number, bytes, isCut, ending: ending.name };
  const text = isCut ? undefined : decodeUtf8(head);
  if (text !== undefined) return { ...line, text, faultAt: undefined };
  const fault = findInvalidUtf8(head);
  // The last character may be cut in two, so only errors before it count.
  const isFaulty = fault <= head.length - (isCut ? MAX_CHARACTER : 1);
  const shown = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head, { stream: isCut });
  return { ...line, text: shown, faultAt: isFaulty ? fault : undefined };
}

/** The maximum length of a UTF-8 character in bytes. */
const MAX_CHARACTER = 4;

interface LineBreak {
  readonly name: LineEnding;
  readonly length: number;
}

function endingOf(bytes: Uint8Array): LineBreak {
  if (bytes.at(-1) !== LINE_FEED) return { name: 'none', length: 0 };
  return bytes.at(-2) === CARRIAGE_RETURN ? { name: 'crlf', length: 2 } : { name: 'lf', length: 1 };
}

async function bytesOf(source: Source, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start);
  let at = 0;
  for await (const chunk of source.read(start, end)) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
