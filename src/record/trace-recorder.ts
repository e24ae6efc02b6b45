import { dirname } from 'node:path';
import { type LogDisk, realDisk } from '../files/append-log.ts';
import { type FileIdentity, folderIdentity, isSameFolder } from '../files/file-identity.ts';
import { reasonOf } from '../files/reason.ts';
import { removeQuietly } from '../files/remove-quietly.ts';
import { endLine, entryLine } from '../formats/trace/trace-writer.ts';
import type { Entry, JsonText } from '../model/entry.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { TraceLineBatch, TracePart } from './trace-part.ts';
import { partPath } from './trace-parts.ts';

/** When a trace continues in a new file, and how many files are kept. */
export interface Rotation {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

export interface TraceRecorderOptions {
  readonly path: string;
  readonly header: SessionHeader;
  readonly rotation?: Rotation | undefined;
  /** Why nothing may be written there. */
  readonly refusal?: string | undefined;
  /** Called once, when something could not be recorded for the first time. */
  readonly onFailure: (reason: string) => void;
  /**
   * Called with lines that are written or queued for writing: the number of the first line, and the text of all lines.
   */
  readonly onLines?: ((firstSeq: number, text: string) => void) | undefined;
  readonly disk?: LogDisk | undefined;
}

/** The space that each part reserves for the line that may end the trace. */
const END_BYTES = 200;

/** The delay before creating a file is retried, and the interval for checking that the file still exists. */
const LOOK_AGAIN_MS = 1000;

/**
 * Appends a session to its trace while the session runs. It never throws and never blocks the relay. While the disk
 * rejects writes, it counts the entries and writes a gap line as soon as possible.
 */
export class TraceRecorder {
  readonly #options: TraceRecorderOptions;
  readonly #disk: LogDisk;
  #part: TracePart | undefined;
  /** The current part's path (which may not exist yet) and number, and the number of lines in the earlier parts. */
  #path: string;
  #number = 1;
  #before = 0;
  #firstPath: string;
  /** The full files that rotation has not removed yet. */
  readonly #fullFiles: TracePart[] = [];
  /** The folder of the first file. Another user may put another one in its place. */
  #folder: FileIdentity | undefined;
  readonly #closing: Promise<void>[] = [];
  #seq = 0;
  #missed = 0;
  #reason = '';
  #failed = false;
  #appending = false;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: TraceRecorderOptions) {
    this.#options = options;
    this.#disk = options.disk ?? realDisk;
    this.#path = options.path;
    this.#firstPath = options.path;
    this.#lookAfterPart();
  }

  /** The path of the file that is being written, which is the last part of the trace. */
  get path(): string {
    return this.#path;
  }

  get nextSeq(): number {
    return this.#seq;
  }

  /** Whether there is an open file to write to. */
  get isRecording(): boolean {
    return this.#part !== undefined;
  }

  /** Whether the file at `path` is the one that is being written, and not one that was put in its place. */
  get isInPlace(): boolean {
    return this.#part?.isInPlace === true;
  }

  /** The bytes of lines that the disk has not taken yet. */
  get waitingBytes(): number {
    return this.#part?.waitingBytes ?? 0;
  }

  /** Appends entries. Entries that arrive after `close` are not part of the session and are ignored. */
  append(entries: readonly Entry[]): void {
    const [first] = entries;
    if (first === undefined || this.#closed) return;
    try {
      this.#write(first.atMs, entries, '');
    } catch (error) {
      // An entry cannot be serialized, or the lines exceed the maximum string length.
      this.#lose(entries.length, reasonOf(error));
    }
  }

  /** Resolves when the whole trace is written. */
  async close(footer: SessionFooter): Promise<void> {
    this.#closed = true;
    this.#lookedAtMs = Number.NEGATIVE_INFINITY;
    this.#write(footer.endedAtMs, [], `${endLine(footer)}\n`);
    await Promise.all([...this.#closing, this.#part?.close()]);
  }

  #write(atMs: number, entries: readonly Entry[], ending: string): void {
    this.#lookAfterPart();
    if (this.#part === undefined) {
      this.#lose(entries.length, this.#reason);
      return;
    }
    if (this.#options.rotation !== undefined) {
      this.#writeInParts(this.#part, this.#options.rotation, atMs, entries, ending);
      return;
    }
    const gap = this.#missed;
    let text = gap > 0 ? this.#gapLine(atMs) : '';
    let seq = gap > 0 ? this.#seq + 1 : this.#seq;
    for (const entry of entries) text += `${entryLine(entry, seq++, ownId)}\n`;
    this.#put(this.#part, new TraceLineBatch(text + ending, gap, entries.length));
  }

  /** Writes line by line, because any line may be the one that exceeds the limit. */
  #writeInParts(
    current: TracePart,
    { maxBytes, maxFiles }: Rotation,
    atMs: number,
    entries: readonly Entry[],
    ending: string,
  ): void {
    let part = current;
    const write = (text: string, gap: number, count: number): void => {
      const bytes = Buffer.byteLength(text);
      const isFull = part.lines > 0 && part.bytes + bytes + END_BYTES > maxBytes;
      // If the next file cannot be created, keep writing to this one. A file that is too large is better than lost
      // entries.
      if (isFull && text !== ending) part = this.#rotate(part, maxFiles) ?? part;
      part.bytes += bytes;
      this.#put(part, new TraceLineBatch(text, gap, count));
    };
    // If a line could not be written, its gap line comes directly before the next line.
    const writeGap = (): void => {
      if (this.#missed > 0) write(this.#gapLine(atMs), this.#missed, 0);
    };
    for (const entry of entries) {
      writeGap();
      if (this.#missed > 0) this.#lose(1, this.#reason);
      else {
        try {
          write(`${entryLine(entry, this.#seq, ownId)}\n`, 0, 1);
        } catch (error) {
          this.#lose(1, reasonOf(error));
        }
      }
    }
    writeGap();
    if (ending !== '') write(ending, 0, 0);
  }

  #put(part: TracePart, lines: TraceLineBatch): void {
    // If these lines are lost, `onLost` counts their entries again.
    if (lines.gap > 0) this.#missed = 0;
    const firstSeq = this.#seq;
    this.#seq += lines.entries + (lines.gap > 0 ? 1 : 0);
    this.#appending = true;
    part.append(lines);
    this.#appending = false;
    if (this.#seq > firstSeq) this.#options.onLines?.(firstSeq, lines.text);
  }

  #gapLine(atMs: number): string {
    const raw = JSON.stringify({ missed: this.#missed, why: this.#reason });
    return `${entryLine({ kind: 'event', event: 'mcpreel.gap', atMs, raw }, this.#seq)}\n`;
  }

  /** Creates the file if it does not exist or was removed. */
  #lookAfterPart(): void {
    const nowMs = this.#disk.clockMs();
    if (nowMs - this.#lookedAtMs < LOOK_AGAIN_MS) return;
    this.#lookedAtMs = nowMs;
    if (this.#part?.isRemoved) {
      const { entries } = this.#part;
      this.#closing.push(this.#part.close());
      this.#part = undefined;
      this.#lose(entries, 'the trace was removed');
    }
    if (this.#part !== undefined) return;
    const { refusal } = this.#options;
    if (refusal !== undefined) {
      this.#lose(0, refusal);
      return;
    }
    try {
      this.#part = this.#begin(this.#path, this.#number, this.#before);
    } catch (error) {
      this.#lose(0, reasonOf((error as Error).cause ?? error));
    }
  }

  #rotate(full: TracePart, maxFiles: number): TracePart | undefined {
    const number = this.#number + 1;
    const before = this.#before + full.lines;
    let next: TracePart;
    try {
      next = this.#begin(partPath(this.#firstPath, number), number, before, full);
    } catch {
      return undefined;
    }
    this.#closing.push(full.close());
    this.#fullFiles.push(full);
    while (this.#fullFiles.length >= maxFiles) {
      const oldest = this.#fullFiles.shift();
      if (oldest?.isInPlace) removeQuietly(oldest.path);
    }
    this.#part = next;
    this.#number = number;
    this.#before = before;
    return next;
  }

  #begin(path: string, number: number, before: number, after?: TracePart): TracePart {
    const { header, rotation } = this.#options;
    const place = rotation === undefined ? undefined : { part: number, before };
    const onLost = (weights: readonly number[], reason: string): void => this.#loseLines(weights, reason);
    if (number > 1 && this.#folder !== undefined && !isSameFolder(dirname(path), this.#folder)) {
      throw new Error('its folder was replaced');
    }
    const part = new TracePart({ path, header, place, disk: this.#disk, after, onLost });
    this.#path = part.path;
    if (number === 1) {
      this.#firstPath = part.path;
      this.#folder = folderIdentity(dirname(part.path));
    }
    return part;
  }

  #loseLines(weights: readonly number[], reason: string): void {
    // If the write failed synchronously, the numbers of these lines can be reused. Otherwise later lines may have
    // numbers already.
    if (this.#appending) this.#seq -= weights.length;
    this.#lose(
      weights.reduce((total, weight) => total + weight, 0),
      reason,
    );
  }

  #lose(entries: number, reason: string): void {
    this.#missed += entries;
    this.#reason = reason;
    if (this.#failed) return;
    this.#failed = true;
    this.#options.onFailure(reason);
  }
}

/** While recording, mcpreel generates the message ids itself. They are UUIDs, so they need no escaping. */
function ownId(id: string): JsonText {
  return `"${id}"`;
}
