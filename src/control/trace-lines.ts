import { setTimeout as delay } from 'node:timers/promises';
import type { FileSource } from '../files/file-source.ts';

/** Opens a trace file. Several parts are read as one. */
export type OpenTrace = (path: string) => Promise<FileSource>;

const LINE_FEED = 0x0a;
/** More than a last line takes. */
const TAIL_BYTES = 1 << 16;
/** How often to look for a line that was announced but is not written yet. */
const TRIES = 100;
const BETWEEN_TRIES_MS = 50;
const ENDING = /^\{[^{}]*"type":"end"/;

/** Waits without keeping the process alive. */
const waitUnreferenced = (ms: number): Promise<unknown> => delay(ms, undefined, { ref: false });

/** Reads lines by number from a trace file that is being written. */
export class TraceLineFeed {
  readonly #open: OpenTrace;
  readonly #path: string;
  readonly #wait: (ms: number) => Promise<unknown>;
  /** The offset up to which the file was read. */
  #offset = 0;
  #seenBytes = -1;
  /** Whether a line with the number `to` or higher was found. */
  #isPast = false;

  constructor(open: OpenTrace, path: string, wait: (ms: number) => Promise<unknown> = waitUnreferenced) {
    this.#open = open;
    this.#path = path;
    this.#wait = wait;
  }

  /** The first line, which holds the session header. */
  async header(): Promise<string | undefined> {
    for await (const { text } of linesFrom(await this.#open(this.#path), 0)) return text;
    return undefined;
  }

  /** The last line, if it is the session's end entry. */
  async ending(): Promise<string | undefined> {
    const source = await this.#open(this.#path);
    let last: string | undefined;
    for await (const { text } of linesFrom(source, Math.max(0, source.size - TAIL_BYTES))) last = text;
    return last !== undefined && ENDING.test(last) ? last : undefined;
  }

  /** Whether the size has changed since the last call. */
  async hasGrown(): Promise<boolean> {
    const { size } = await this.#open(this.#path);
    const hasGrown = size !== this.#seenBytes;
    this.#seenBytes = size;
    return hasGrown;
  }

  /**
   * Yields the lines numbered from `from` up to but not including `to`, if they still exist. On a slow disk, a session
   * announces lines before they are written. Lines up to `to` are therefore waited for.
   */
  async *range(from: number, to: number): AsyncGenerator<string> {
    let next = from;
    for (let tries = 0; tries <= TRIES; tries++) {
      for await (const { text, number } of this.#linesUpTo(to)) {
        if (number < next) continue;
        next = number + 1;
        tries = 0;
        yield text;
      }
      if (next >= to || this.#isPast || !Number.isFinite(to)) return;
      await this.#wait(BETWEEN_TRIES_MS);
    }
  }

  /** Yields the numbered lines that exist now, starting at the last offset. */
  async *#linesUpTo(to: number): AsyncGenerator<{ readonly text: string; readonly number: number }> {
    const source = await this.#open(this.#path);
    this.#isPast = false;
    // If there are several parts, the first may have been deleted meanwhile.
    const goesOn = source.name === this.#path && this.#offset <= source.size;
    for await (const { text, end } of linesFrom(source, goesOn ? this.#offset : 0)) {
      const number = numberOf(text);
      this.#isPast = number !== undefined && number >= to;
      if (this.#isPast) return;
      this.#offset = end;
      if (number !== undefined) yield { text, number };
      if (number === to - 1) return;
    }
  }
}

const NUMBER = /"seq":(\d{1,15})[,}]/;
const HEAD_LENGTH = 400;

/** The number of a line. It comes before the message, so only the start of the line is searched. */
export function numberOf(line: string): number | undefined {
  const found = NUMBER.exec(line.slice(0, HEAD_LENGTH));
  return found === null ? undefined : Number(found[1]);
}

/** Complete lines, each with the offset of the byte after it. */
async function* linesFrom(source: FileSource, start: number): AsyncGenerator<{ text: string; end: number }> {
  let rest: Buffer[] = [];
  let offset = start;
  for await (const chunk of source.read(start, source.size)) {
    let at = 0;
    for (let next = chunk.indexOf(LINE_FEED); next >= 0; next = chunk.indexOf(LINE_FEED, at)) {
      const text = Buffer.concat([...rest, chunk.subarray(at, next)]).toString();
      rest = [];
      at = next + 1;
      yield { text, end: offset + at };
    }
    // Copied, because the source reuses the chunk's memory.
    if (at < chunk.length) rest.push(Buffer.from(chunk.subarray(at)));
    offset += chunk.length;
  }
}
