import { closeSync, existsSync, fstatSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { reasonOf } from './reason.ts';

/** The file writes and the clock that a log uses. */
export interface LogDisk {
  writeNow(descriptor: number, bytes: Uint8Array, offset: number): number;
  writeSoon(descriptor: number, bytes: Uint8Array, offset: number): Promise<number>;
  /** A monotonic clock. */
  clockMs(): number;
}

const writeLater = promisify(write);

export const realDisk: LogDisk = {
  writeNow: writeSync,
  writeSoon: async (descriptor, bytes, offset) =>
    (await writeLater(descriptor, bytes, offset, bytes.length - offset, null)).bytesWritten,
  clockMs: () => performance.now(),
};

/** Whole lines to append. */
export interface LogLines {
  readonly text: string;
  /** Returns the number of entries per line. Called only if some of the lines are lost. */
  weights(): readonly number[];
}

export interface AppendLogOptions {
  readonly disk: LogDisk;
  /** Called when lines will not be in the file, with the number of entries per line and the reason. */
  readonly onLost: (weights: readonly number[], reason: string) => void;
  /** A file whose lines must be written before those of this one, so that a killed process leaves no gaps. */
  readonly after?: AppendLog | undefined;
  /**
   * The file's path, for platforms where the link count does not show that a file was removed. Windows keeps the count
   * of an open file at 1.
   */
  readonly path?: string | undefined;
}

/** A slower write would noticeably delay the client and the server. Large writes are allowed more time. */
const SLOW_MS = 50;
const SLOW_MS_PER_BYTE = 1 / 50_000;
/** The maximum number of bytes that wait for a slow disk. A single append of any size is always allowed. */
const MAX_QUEUED_BYTES = 16 << 20;
/** In characters, each of which takes up to three bytes. */
const MAX_IN_PLACE = 1 << 16;
/** One buffer for all files. Its content is always written before the buffer is reused. */
const scratch = Buffer.allocUnsafeSlow(3 * MAX_IN_PLACE);
const LINE_FEED = 0x0a;

interface QueuedLines {
  readonly bytes: Uint8Array;
  readonly weights: () => readonly number[];
}

/**
 * A file that lines are appended to. When `append` returns, the operating system has the lines, so a killed process
 * loses nothing. If the disk is too slow for that, lines are written in the background until the queue is empty and
 * writes are fast again. No method throws.
 */
export class AppendLog {
  readonly #descriptor: number;
  readonly #options: AppendLogOptions;
  #isSlow = false;
  #queue: QueuedLines[] = [];
  #queuedBytes = 0;
  /** Settles when the queue is empty. */
  #background: Promise<void> | undefined;
  /** The log whose queue is written first. */
  #after: AppendLog | undefined;
  /** Whether a failed write may have left a partial line, which the next write must not continue. */
  #torn = false;
  /** The operating system may reuse a closed descriptor for another file, so nothing may be written to it. */
  #closed = false;

  constructor(descriptor: number, options: AppendLogOptions) {
    this.#descriptor = descriptor;
    this.#options = options;
    if (options.after?.waitingBytes) {
      this.#after = options.after;
      this.#isSlow = true;
    }
  }

  /** The bytes that were appended to this file and to those before it, and are not written yet. */
  get waitingBytes(): number {
    return this.#queuedBytes + (this.#after?.waitingBytes ?? 0);
  }

  append(lines: LogLines): void {
    if (this.#closed) return;
    if (this.#isSlow) {
      this.#enqueue({ bytes: Buffer.from(lines.text), weights: () => lines.weights() });
      return;
    }
    const { disk } = this.#options;
    const startedMs = disk.clockMs();
    const whole = this.#afterTorn(encode(lines.text));
    let written = 0;
    try {
      while (written < whole.length) written += disk.writeNow(this.#descriptor, whole, written);
      this.#torn = false;
    } catch (error) {
      this.#fail(whole.subarray(0, written), lines.weights(), error);
    }
    this.#isSlow = isSlow(disk.clockMs() - startedMs, whole);
  }

  /** Whether the file was removed, so that further writes are lost. */
  get isRemoved(): boolean {
    try {
      if (fstatSync(this.#descriptor).nlink === 0) return true;
      return this.#options.path !== undefined && !existsSync(this.#options.path);
    } catch {
      return false;
    }
  }

  /** Resolves when all appended lines are written or lost. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#background;
    try {
      closeSync(this.#descriptor);
    } catch {
      // The descriptor is invalid either way.
    }
  }

  #enqueue(waiting: QueuedLines): void {
    const { length } = waiting.bytes;
    const waitingBytes = this.waitingBytes;
    if (waitingBytes > 0 && waitingBytes + length > MAX_QUEUED_BYTES) {
      this.#options.onLost(waiting.weights(), 'the disk is too slow');
      return;
    }
    this.#queue.push(waiting);
    this.#queuedBytes += length;
    this.#background ??= this.#writeQueue();
  }

  async #writeQueue(): Promise<void> {
    const { disk } = this.#options;
    if (this.#after !== undefined) await this.#after.#background;
    this.#after = undefined;
    while (this.#queue.length > 0) {
      const queue = this.#queue;
      this.#queue = [];
      const startedMs = disk.clockMs();
      const bytes = Buffer.concat(queue.map((waiting) => waiting.bytes));
      await this.#writeSoon({ bytes, weights: () => queue.flatMap(({ weights }) => weights()) });
      this.#queuedBytes -= bytes.length;
      this.#isSlow = isSlow(disk.clockMs() - startedMs, bytes) || this.#queue.length > 0;
    }
    this.#background = undefined;
  }

  async #writeSoon({ bytes, weights }: QueuedLines): Promise<void> {
    const whole = this.#afterTorn(bytes);
    let written = 0;
    try {
      while (written < whole.length) {
        written += await this.#options.disk.writeSoon(this.#descriptor, whole, written);
      }
      this.#torn = false;
    } catch (error) {
      this.#fail(whole.subarray(0, written), weights(), error);
    }
  }

  #afterTorn(bytes: Uint8Array): Uint8Array {
    return this.#torn ? Buffer.concat([Uint8Array.of(LINE_FEED), bytes]) : bytes;
  }

  #fail(written: Uint8Array, weights: readonly number[], error: unknown): void {
    const wholeLines = count(written, LINE_FEED) - (this.#torn && written.length > 0 ? 1 : 0);
    this.#torn = written.length > 0 ? written.at(-1) !== LINE_FEED : this.#torn;
    this.#options.onLost(weights.slice(wholeLines), reasonOf(error));
  }
}

/**
 * Encodes a text. The result is valid until the next call. Most texts are short, and allocating a buffer takes as long
 * as the write.
 */
function encode(text: string): Uint8Array {
  if (text.length > MAX_IN_PLACE) return Buffer.from(text);
  return scratch.subarray(0, scratch.write(text));
}

function isSlow(elapsedMs: number, { length }: Uint8Array): boolean {
  return elapsedMs > SLOW_MS + length * SLOW_MS_PER_BYTE;
}

function count(bytes: Uint8Array, requested: number): number {
  let found = 0;
  for (let at = bytes.indexOf(requested); at >= 0; at = bytes.indexOf(requested, at + 1)) found++;
  return found;
}
