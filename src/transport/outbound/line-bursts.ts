import type { Writable } from 'node:stream';

/** More at once does not fit into a pipe. */
const MAX_BURST = 64 << 10;

/**
 * Writes lines so that their reader neither waits for them nor is woken for each: the first of a turn of the event loop
 * goes out at once, what follows in bursts that are twice as long each time, and the rest when the turn is over.
 */
export class LineBursts {
  readonly #stream: Writable;
  #waiting = '';
  /** When so much waits it is written; 0 at the beginning of a turn. */
  #burst = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  get isOpen(): boolean {
    return this.#stream.writable;
  }

  /** What the reader has not taken yet. */
  get waitingBytes(): number {
    return this.#stream.writableLength;
  }

  /** Says whether the stream takes more, as its own `write` does. */
  write(line: string): boolean {
    if (this.#burst === 0) setImmediate(() => this.#flush('at last'));
    this.#waiting += line;
    if (this.#waiting.length >= this.#burst) this.#flush('meanwhile');
    return !this.#stream.writableNeedDrain;
  }

  /** Ends the stream with what waits. */
  end(): void {
    this.#flush('at last');
    this.#stream.end();
  }

  #flush(when: 'meanwhile' | 'at last'): void {
    const lines = this.#waiting;
    // Before it is written: whoever reads it may answer at once, and be answered.
    this.#waiting = '';
    this.#burst = when === 'at last' ? 0 : Math.min(2 * lines.length, MAX_BURST);
    if (lines !== '' && this.#stream.writable) this.#stream.write(lines);
  }
}
