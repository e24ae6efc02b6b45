import { STDIO_STREAMS, type StdioStream, type StdioTraffic, type TrafficAct } from '../stdio-traffic.ts';
import type { JournalFile } from './journal-file.ts';
import { JournalReader, type JournalRecord, SLICE_BYTES } from './journal-record.ts';
import type { TrafficLog } from './traffic-log.ts';

/** When the recorder works through a journal. */
export interface JournalPace {
  /** After this time without traffic. */
  readonly idleMs: number;
  /** At the latest after this time. */
  readonly maxWaitMs: number;
  /** At the latest after this time, while a screen is connected. */
  readonly watchedMs: number;
  /** At the latest when this much was not looked at. */
  readonly maxUnseenBytes: number;
}

const DEFAULT_PACE: JournalPace = {
  idleMs: 15,
  maxWaitMs: 5000,
  watchedMs: 100,
  maxUnseenBytes: 16 << 20,
};

export interface JournalLogOptions {
  readonly file: JournalFile;
  readonly traffic: StdioTraffic;
  /** The most bytes that the file may have. */
  readonly maxBytes: number;
  readonly pace?: Partial<JournalPace> | undefined;
  /** Whether the disk has not taken what was recorded. The rest then waits in the journal, as long as there is room. */
  readonly isBehind?: (() => boolean) | undefined;
  /** Whether all recorded entries are in the trace, and what the redactor knows of lines before has no effect on others. */
  readonly mayForget: () => boolean;
  /** Whether a screen or another command follows the session. */
  readonly isWatched: () => boolean;
  /** Called when the journal cannot be used any more. Everything is then recorded before it takes effect. */
  readonly onFailure: (reason: string) => void;
  /** Called when the file is closed, with whether it was removed because all of it is recorded. */
  readonly onClosed?: ((isKept: boolean) => void) | undefined;
  readonly clockMs?: (() => number) | undefined;
}

/** A file that has at least this much, all of it recorded, is emptied. */
const WORTH_EMPTYING = 1 << 18;

/**
 * Appends everything to a journal before it takes effect, and records it later, in slices that give way to traffic. If the
 * journal is full or fails, everything is recorded before it takes effect. It never throws.
 */
export class JournalLog implements TrafficLog {
  readonly goesFirst = true;
  readonly #options: JournalLogOptions;
  readonly #pace: JournalPace;
  readonly #clockMs: () => number;
  readonly #reader: JournalReader;
  /** The length of each stream so far. */
  readonly #offsets: number[] = STDIO_STREAMS.map(() => 0);
  /** Whether nothing more is written to the file: for a while, because it is full, or for good, because it failed. */
  #isBypassed = false;
  #hasFailed = false;
  #timer: NodeJS.Timeout | undefined;
  #slice: NodeJS.Immediate | undefined;
  #isUrgent = false;
  /** When the first record that was not looked at was appended. */
  #unseenSinceMs = 0;
  #lastAtMs = 0;
  /** How many bytes were ever appended, now and at the last look at this number. */
  #appended = 0;
  #appendedBefore = 0;

  constructor(options: JournalLogOptions) {
    this.#options = options;
    this.#pace = { ...DEFAULT_PACE, ...options.pace };
    this.#clockMs = options.clockMs ?? (() => performance.now());
    this.#reader = new JournalReader(options.file.read, options.file.headBytes);
  }

  bytes(stream: StdioStream, chunk: Uint8Array, atMs: number): void {
    this.#log('bytes', STDIO_STREAMS.indexOf(stream), chunk, chunk.length, atMs);
  }

  end(stream: StdioStream, atMs: number): void {
    this.#log('end', STDIO_STREAMS.indexOf(stream), NO_BYTES, 0, atMs);
  }

  act(act: TrafficAct, atMs: number): void {
    this.#log('act', ACTS, Buffer.from(JSON.stringify(act)), 1, atMs);
  }

  settle(): void {
    this.#stopLooking();
    this.#options.traffic.hurry();
    while (this.#unseenBytes > 0) {
      if (this.#lookAt(Number.POSITIVE_INFINITY) === 0) break;
      this.#options.traffic.hurry();
    }
    this.#seenAll();
  }

  close(isKept: boolean): void {
    this.#stopLooking();
    this.#options.file.close(!isKept);
    this.#options.onClosed?.(isKept);
  }

  get #unseenBytes(): number {
    return this.#options.file.bytes - this.#reader.position;
  }

  #log(kind: JournalRecord['kind'], stream: number, payload: Uint8Array, length: number, atMs: number): void {
    const offset = (this.#offsets[stream] ?? 0) + length;
    this.#offsets[stream] = offset;
    this.#lastAtMs = atMs;
    const record = { kind, stream, atMs, offset, payload };
    if (this.#isBypassed || !this.#hasAppended(record)) this.#recordNow(record);
  }

  #hasAppended(record: JournalRecord): boolean {
    const { file, maxBytes, onFailure } = this.#options;
    const { length } = record.payload;
    if (file.bytes + length > maxBytes) {
      this.settle();
      // A long line that is not finished, or lines that a slow disk has not taken yet.
      if (file.bytes + length > maxBytes) {
        this.#isBypassed = true;
        return false;
      }
    }
    const fault = file.append(record);
    if (fault !== undefined) {
      this.#isBypassed = true;
      this.#hasFailed = true;
      this.settle();
      onFailure(fault);
      return false;
    }
    this.#appended += length;
    this.#lookLater();
    return true;
  }

  #recordNow(record: JournalRecord): void {
    if (this.#unseenBytes > 0) this.settle();
    this.#record(record);
    this.#options.traffic.hurry();
    if (!this.#hasFailed && this.#isEmptied()) this.#isBypassed = false;
  }

  /** Looks when nothing comes for a while, at the latest after some time. */
  #lookLater(): void {
    if (this.#slice !== undefined || this.#options.traffic.isBusy) return;
    if (this.#unseenBytes >= this.#maxUnseenBytes) {
      this.#lookUrgently();
      return;
    }
    if (this.#timer !== undefined) return;
    this.#unseenSinceMs ||= this.#clockMs();
    this.#appendedBefore = this.#appended;
    this.#timer = setTimeout(() => this.#lookIfIdle(), this.#pace.idleMs);
  }

  get #maxUnseenBytes(): number {
    return Math.min(this.#pace.maxUnseenBytes, this.#options.maxBytes / 4);
  }

  #lookIfIdle(): void {
    this.#timer = undefined;
    const { maxWaitMs, watchedMs } = this.#pace;
    const waitedMs = this.#clockMs() - this.#unseenSinceMs;
    if (waitedMs >= (this.#options.isWatched() ? watchedMs : maxWaitMs)) this.#lookUrgently();
    else if (this.#appended === this.#appendedBefore) this.#look();
    else this.#lookLater();
  }

  #lookUrgently(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isUrgent = true;
    // Never in the middle of forwarding.
    this.#slice ??= setImmediate(() => this.#look());
  }

  /** Looks at the next slice. An urgent look takes more than came in since the last one, so that it gets to the end. */
  #look(): void {
    this.#slice = undefined;
    if (this.#options.traffic.isBusy) return;
    if (this.#options.isBehind?.() === true && this.#unseenBytes < this.#options.maxBytes / 2) {
      this.#isUrgent = false;
      this.#timer ??= setTimeout(() => this.#lookUrgently(), this.#pace.idleMs);
      return;
    }
    const came = this.#appended - this.#appendedBefore;
    this.#appendedBefore = this.#appended;
    this.#lookAt(this.#isUrgent ? Math.max(SLICE_BYTES, 2 * came) : SLICE_BYTES);
    if (this.#options.traffic.isBusy) this.#options.traffic.whenFree(() => this.#lookFurther());
    else this.#lookFurther();
  }

  #lookFurther(): void {
    if (this.#unseenBytes === 0) {
      this.#isUrgent = false;
      this.#seenAll();
    } else this.#slice ??= setImmediate(() => this.#lookOn());
  }

  #lookOn(): void {
    this.#slice = undefined;
    if (this.#isUrgent || this.#appended === this.#appendedBefore) this.#look();
    else this.#lookLater();
  }

  #stopLooking(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    clearImmediate(this.#slice);
    this.#slice = undefined;
    this.#isUrgent = false;
  }

  /** Records the next part of the journal, up to this many bytes. Returns how many there were. */
  #lookAt(bytes: number): number {
    const { file } = this.#options;
    let seen = 0;
    while (seen < bytes && !this.#options.traffic.isBusy) {
      const before = this.#reader.position;
      const record = this.#reader.next(file.bytes);
      if (record === undefined) break;
      this.#record(record);
      seen += this.#reader.position - before;
    }
    return seen;
  }

  #record({ kind, stream, payload, atMs, offset }: JournalRecord): void {
    const { traffic } = this.#options;
    if (kind === 'act') {
      traffic.act(JSON.parse(Buffer.from(payload).toString()) as TrafficAct, atMs, offset);
      return;
    }
    const name = STDIO_STREAMS[stream];
    if (name === undefined || name === 'act') return;
    if (kind === 'bytes') traffic.bytes(name, payload, atMs, offset);
    else traffic.end(name, atMs);
  }

  #seenAll(): void {
    this.#unseenSinceMs = 0;
    const { file } = this.#options;
    if (!this.#hasFailed && (file.bytes >= WORTH_EMPTYING || !file.isInPlace)) this.#isEmptied();
  }

  /** Whether the file has nothing more than the beginnings of lines. */
  #isEmptied(): boolean {
    const { file, traffic, mayForget, maxBytes } = this.#options;
    if (!mayForget() || traffic.isBusy) return false;
    const kept: JournalRecord[] = [];
    let bytes = 0;
    for (const name of READ_STREAMS) {
      const pending = traffic.pending(name);
      if (pending === undefined) return false;
      for (const { length } of pending) bytes += length;
      if (bytes > maxBytes / 4) return false;
      const stream = STDIO_STREAMS.indexOf(name);
      const offset = this.#offsets[stream] ?? 0;
      if (pending.length > 0) {
        kept.push({ kind: 'bytes', stream, atMs: this.#lastAtMs, offset, payload: Buffer.concat(pending) });
      }
    }
    const fault = file.restart(kept);
    if (fault !== undefined) {
      if (file.isInPlace) return false;
      // The folder is gone.
      this.#isBypassed = true;
      this.#hasFailed = true;
      this.#options.onFailure(fault);
      return false;
    }
    this.#reader.moveTo(file.bytes);
    return true;
  }
}

const NO_BYTES = new Uint8Array(0);
const ACTS = STDIO_STREAMS.indexOf('act');
const READ_STREAMS: readonly StdioStream[] = ['in', 'out', 'err'];
