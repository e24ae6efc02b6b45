import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileSource } from '../../files/file-source.ts';
import { countOf, formatSize } from '../../present/figures.ts';
import { oneLine } from '../../present/visible-text.ts';
import type { ProgressReporter } from '../context.ts';
import type { StatusLine } from './status-line.ts';

/** Long work and its progress. */
interface ProgressWork {
  readonly verb: 'Reading' | 'Replaying';
  /** The file or session being processed. */
  readonly name: string;
  amount(): string;
}

/** Progress is shown only after this much working time, counted anew after each result. */
const PATIENCE_MS = 1000;
const REDRAW_MS = 100;
/** After a read of this size, processing may take long without a pause. */
const LARGE_READ = 1 << 20;

/** Shows the progress of long work. It uses a timer instead of each chunk, so that short work costs nothing. */
export class WorkProgress implements ProgressReporter {
  readonly #line: StatusLine;
  readonly #nowMs: () => number;
  #reading: ProgressWork | undefined;
  #replay: ProgressWork | undefined;
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
    return { ...source, read: (start, end) => this.#watched(source.read(start, end), name, start, size) };
  }

  stream(stream: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array> {
    // The line would disturb the user while typing.
    const isTyped = 'isTTY' in stream && stream.isTTY === true;
    return isTyped ? stream : this.#watched(stream, name, 0, undefined);
  }

  replaying(name: string, total: number): () => void {
    let done = 0;
    const amount = (): string => shareText(done, total, String, countOf(total, 'message'));
    this.#replay = { verb: 'Replaying', name, amount };
    this.#goesOn();
    return () => {
      done++;
      if (done >= total) this.#replay = undefined;
      this.#goesOn();
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#reading = undefined;
    this.#replay = undefined;
    this.#line.clear();
  }

  async *#watched(
    chunks: AsyncIterable<Uint8Array>,
    name: string,
    start: number,
    size: number | undefined,
  ): AsyncGenerator<Uint8Array> {
    let position = start;
    const amount = (): string =>
      size === undefined ? formatSize(position) : shareText(position, size, formatSize, formatSize(size));
    const reading: ProgressWork = { verb: 'Reading', name, amount };
    const goesOn = (): void => {
      this.#reading = reading;
      this.#goesOn();
    };
    goesOn();
    try {
      for await (const chunk of chunks) {
        position += chunk.length;
        goesOn();
        yield chunk;
      }
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
      // Work without a pause blocks signal listeners. The line is cleared first, so that an interrupt leaves nothing
      // behind.
      if (position - start >= LARGE_READ) {
        this.#line.clear();
        // Waits until the interrupt listener is removed. During work without a pause it could not run.
        await nextTurn();
      }
    }
  }

  #goesOn(): void {
    this.#patientSinceMs ??= this.#nowMs();
    this.#timer ??= setInterval(() => this.#look(), REDRAW_MS).unref();
  }

  #look(): void {
    const work = this.#reading ?? this.#replay;
    if (work === undefined) {
      this.close();
      return;
    }
    if (this.#results !== this.#line.results) {
      this.#results = this.#line.results;
      // Until more is done, mcpreel may be waiting for a user who reads the results in a pager.
      this.#patientSinceMs = undefined;
    }
    if (this.#patientSinceMs === undefined || this.#nowMs() - this.#patientSinceMs < PATIENCE_MS) return;
    this.#line.show(progressText(work, this.#among, this.#line.width));
  }
}

function progressText({ verb, name, amount }: ProgressWork, among: string, width: number): string {
  const [before, after] = [`${verb} ${among}`, `: ${amount()}`];
  const text = before + lastOf(oneLine(name), width - before.length - after.length) + after;
  return text.length > width ? text.slice(0, width) : text;
}

/** `42 % (1.2 MB of 2.9 MB)`. There may be more by now than when the total was counted. */
function shareText(done: number, all: number, textOf: (done: number) => string, allText: string): string {
  const counted = Math.min(done, all);
  const percent = all === 0 ? 100 : Math.floor((counted / all) * 100);
  return `${percent} % (${textOf(counted)} of ${allText})`;
}

/** The text, or as much of its end as fits. */
function lastOf(text: string, width: number): string {
  const characters = [...text];
  if (widthOf(characters) <= width) return text;
  while (characters.length > 0 && 1 + widthOf(characters) > width) characters.shift();
  return `…${characters.join('')}`;
}

/** The first character that may take two columns. */
const FIRST_WIDE = 0x1100;

/** The maximum number of columns that the characters take. Loading string-width for this line would take 30 ms. */
function widthOf(characters: readonly string[]): number {
  return characters.reduce((width, char) => width + ((char.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2), 0);
}
