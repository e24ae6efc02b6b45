import { setTimeout as delay } from 'node:timers/promises';
import type { FileSource } from '../files/file-source.ts';

/** Opens a trace, all its parts as one. */
export type OpenTrace = (path: string) => Promise<FileSource>;

const LINE_FEED = 0x0a;
/** More than a last line takes. */
const TAIL_BYTES = 1 << 16;
/** So often it is looked whether a line is written that was told of. */
const TRIES = 100;
const BETWEEN_TRIES_MS = 50;
const ENDING = /^\{[^{}]*"type":"end"/;

/** Waits without keeping the process alive. */
const waitUnreferenced = (ms: number): Promise<unknown> => delay(ms, undefined, { ref: false });

/** Reads lines of a trace that is being written, by their numbers. */
export class TraceLineFeed {
  readonly #open: OpenTrace;
  readonly #path: string;
  readonly #wait: (ms: number) => Promise<unknown>;
  /** Up to where it was read. */
  #offset = 0;
  #seenBytes = -1;
  /** Whether a line was met that comes after those that were wanted. */
  #isPast = false;

  constructor(open: OpenTrace, path: string, wait: (ms: number) => Promise<unknown> = waitUnreferenced) {
    this.#open = open;
    this.#path = path;
    this.#wait = wait;
  }

  /** The first line, which says what is recorded. */
  async header(): Promise<string | undefined> {
    for await (const { text } of linesFrom(await this.#open(this.#path), 0)) return text;
    return undefined;
  }

  /** The last line, if it says how the session ended. */
  async ending(): Promise<string | undefined> {
    const source = await this.#open(this.#path);
    let last: string | undefined;
    for await (const { text } of linesFrom(source, Math.max(0, source.size - TAIL_BYTES))) last = text;
    return last !== undefined && ENDING.test(last) ? last : undefined;
  }

  /** Whether it is of another size than when this was asked last. */
  async hasGrown(): Promise<boolean> {
    const { size } = await this.#open(this.#path);
    const hasGrown = size !== this.#seenBytes;
    this.#seenBytes = size;
    return hasGrown;
  }

  /**
   * The lines with numbers from `from` up to but not including `to`, as far as they are still there. Where the disk is
   * slow, a session tells of lines before they are written: what there will be up to `to` is waited for.
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

  /** The numbered lines that are there now, from where it was read up to. */
  async *#linesUpTo(to: number): AsyncGenerator<{ readonly text: string; readonly number: number }> {
    const source = await this.#open(this.#path);
    this.#isPast = false;
    // Where there are several parts, the first may have gone meanwhile.
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

/** What a line says of its number; it stands before the message. */
export function numberOf(line: string): number | undefined {
  const found = NUMBER.exec(line.slice(0, HEAD_LENGTH));
  return found === null ? undefined : Number(found[1]);
}

/** Whole lines, each with the offset of the byte after it. */
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
    // The chunk is used again for the next one.
    if (at < chunk.length) rest.push(Buffer.from(chunk.subarray(at)));
    offset += chunk.length;
  }
}
