import type { Writable } from 'node:stream';

/** The capacity of a pipe. */
const MAX_BURST = 64 << 10;

/**
 * Writes lines in batches, so that their reader neither waits nor is woken for each line. The first line of an
 * event-loop turn is written at once. The following ones go in batches that double in size, and the rest at the end of
 * the turn.
 */
export class LineBursts {
  readonly #stream: Writable;
  #waiting = '';
  /** The batch size that triggers a write; 0 at the start of a turn. */
  #burst = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  get isOpen(): boolean {
    return this.#stream.writable;
  }

  /** Bytes that the reader has not taken yet. */
  get waitingBytes(): number {
    return this.#stream.writableLength;
  }

  /** Returns whether the stream accepts more, like its own `write`. */
  write(line: string): boolean {
    if (this.#burst === 0) setImmediate(() => this.#flush('at last'));
    this.#waiting += line;
    if (this.#waiting.length >= this.#burst) this.#flush('meanwhile');
    return !this.#stream.writableNeedDrain;
  }

  /** Writes the pending lines and ends the stream. */
  end(): void {
    this.#flush('at last');
    this.#stream.end();
  }

  #flush(when: 'meanwhile' | 'at last'): void {
    const lines = this.#waiting;
    // Reset before the write, because the reader may answer synchronously and cause another write.
    this.#waiting = '';
    this.#burst = when === 'at last' ? 0 : Math.min(2 * lines.length, MAX_BURST);
    if (lines !== '' && this.#stream.writable) this.#stream.write(lines);
  }
}
