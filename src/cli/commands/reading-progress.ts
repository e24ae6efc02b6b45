import type { FileSource } from '../../state/file-source.ts';
import type { Progress } from '../context.ts';
import { oneLine } from '../output.ts';
import type { StatusLine } from '../status-line.ts';
import { bytesText } from './sessions-facts.ts';

/** Somebody who reads, and how far that is. */
interface Reading {
  readonly name: string;
  /** All that there is to read, where that is known. */
  readonly size: number | undefined;
  position: number;
}

/** Nothing is shown of what takes less, nor until so much time was spent reading after a result. */
const PATIENCE_MS = 1000;
const REDRAW_MS = 100;
/** After so much was read at once, the work on it may be long and without a pause. */
const LARGE_READ = 1 << 20;

/**
 * Shows how far the reading of files is, once it takes long. It looks at the clock, not at each chunk: what is not shown
 * costs nothing.
 */
export class ReadingProgress implements Progress {
  readonly #line: StatusLine;
  readonly #nowMs: () => number;
  #current: Reading | undefined;
  #among = '';
  #timer: NodeJS.Timeout | undefined;
  #patientSinceMs: number | undefined;
  #results = 0;

  constructor(line: StatusLine, nowMs: () => number) {
    this.#line = line;
    this.#nowMs = nowMs;
  }

  turnTo(number: number, count: number): void {
    this.#among = count > 1 ? `${number} of ${count}, ` : '';
  }

  source(source: FileSource): FileSource {
    const { name, size } = source;
    return { name, size, read: (start, end) => this.#watched(source.read(start, end), name, start, size) };
  }

  stream(stream: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array> {
    // Where somebody types, the line would be in the way.
    const isTyped = 'isTTY' in stream && stream.isTTY === true;
    return isTyped ? stream : this.#watched(stream, name, 0, undefined);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#current = undefined;
    this.#line.clear();
  }

  async *#watched(
    chunks: AsyncIterable<Uint8Array>,
    name: string,
    start: number,
    size: number | undefined,
  ): AsyncGenerator<Uint8Array> {
    const reading: Reading = { name, size, position: start };
    this.#goesOn(reading);
    try {
      for await (const chunk of chunks) {
        reading.position += chunk.length;
        this.#goesOn(reading);
        yield chunk;
      }
    } finally {
      if (this.#current === reading) this.#current = undefined;
      // An interrupt is not heard while work goes on without a pause: it ends the process, and must not leave the line.
      if (reading.position - start >= LARGE_READ) this.#line.clear();
    }
  }

  #goesOn(reading: Reading): void {
    this.#current = reading;
    this.#patientSinceMs ??= this.#nowMs();
    this.#timer ??= setInterval(() => this.#look(), REDRAW_MS).unref();
  }

  #look(): void {
    if (this.#current === undefined) {
      this.close();
      return;
    }
    if (this.#results !== this.#line.results) {
      this.#results = this.#line.results;
      // Until more is read we may be waiting for a person who looks at the results in a pager.
      this.#patientSinceMs = undefined;
    }
    if (this.#patientSinceMs === undefined || this.#nowMs() - this.#patientSinceMs < PATIENCE_MS) return;
    this.#line.show(progressText(this.#current, this.#among, this.#line.width));
  }
}

function progressText({ name, size, position }: Reading, among: string, width: number): string {
  const amount = size === undefined ? bytesText(position) : shareText(position, size);
  const [before, after] = [`Reading ${among}`, `: ${amount}`];
  const text = before + lastOf(oneLine(name), width - before.length - after.length) + after;
  return text.length > width ? text.slice(0, width) : text;
}

/** `42 % (1.2 MB of 2.9 MB)`. A file may have grown since its size was taken. */
function shareText(position: number, size: number): string {
  const read = Math.min(position, size);
  const percent = size === 0 ? 100 : Math.floor((read / size) * 100);
  return `${percent} % (${bytesText(read)} of ${bytesText(size)})`;
}

/** The text, or as much of its end as fits. */
function lastOf(text: string, width: number): string {
  const characters = [...text];
  if (widthOf(characters) <= width) return text;
  while (characters.length > 0 && 1 + widthOf(characters) > width) characters.shift();
  return `…${characters.join('')}`;
}

/** Where the characters begin that may take two columns. */
const FIRST_WIDE = 0x1100;

/** How many columns characters take at most. */
function widthOf(characters: readonly string[]): number {
  return characters.reduce((width, char) => width + ((char.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2), 0);
}
