import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileSource } from '../../files/file-source.ts';
import { bytesText } from '../commands/sessions/sessions-facts.ts';
import { countOf } from '../commands/shared/counting.ts';
import type { ProgressReporter } from '../context.ts';
import { oneLine } from '../output.ts';
import type { StatusLine } from './status-line.ts';

/** Work that takes its time, and how far it is. */
interface ProgressWork {
  readonly verb: 'Reading' | 'Replaying';
  /** What is worked on. */
  readonly name: string;
  amount(): string;
}

/** Nothing is shown of what takes less, nor until so much time was spent working after a result. */
const PATIENCE_MS = 1000;
const REDRAW_MS = 100;
/** After so much was read at once, the work on it may be long and without a pause. */
const LARGE_READ = 1 << 20;

/** Shows how far work is, once it takes long. It looks at the clock, not at each chunk: what is not shown costs nothing. */
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
    return { name, size, read: (start, end) => this.#watched(source.read(start, end), name, start, size) };
  }

  stream(stream: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array> {
    // Where somebody types, the line would be in the way.
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
      size === undefined ? bytesText(position) : shareText(position, size, bytesText, bytesText(size));
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
      // An interrupt is not heard while work goes on without a pause: it ends the process, and must not leave the line.
      if (position - start >= LARGE_READ) {
        this.#line.clear();
        // Long work without a pause must not begin while interrupts are listened for: nothing would hear them.
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
      // Until more is done we may be waiting for a person who looks at the results in a pager.
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

/** `42 % (1.2 MB of 2.9 MB)`. There may be more by now than there was when all of it was counted. */
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

/** Where the characters begin that may take two columns. */
const FIRST_WIDE = 0x1100;

/** How many columns characters take at most. */
function widthOf(characters: readonly string[]): number {
  return characters.reduce((width, char) => width + ((char.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2), 0);
}
