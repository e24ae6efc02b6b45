import { rmSync } from 'node:fs';
import { endLine, entryLine } from '../formats/trace-writer.ts';
import type { Entry } from '../model/entry.ts';
import type { SessionFooter, SessionHeader } from '../model/session.ts';
import { type Disk, realDisk } from '../state/append-log.ts';
import { reasonOf } from '../state/reason.ts';
import { TracePart } from './trace-part.ts';
import { partPath } from './trace-parts.ts';

/** When a trace goes on in another file, and how many of its files are kept. */
export interface Rotation {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

export interface TraceRecorderOptions {
  readonly path: string;
  readonly header: SessionHeader;
  readonly rotation?: Rotation | undefined;
  /** Told once, when something could not be recorded for the first time. */
  readonly onFailure: (reason: string) => void;
  readonly disk?: Disk | undefined;
}

/** How long a file that could not be created is left alone, and how often we look whether ours is still there. */
const LOOK_AGAIN_MS = 1000;

/**
 * Appends a session to its trace while it happens. It never throws and holds nobody up: while the disk refuses, entries
 * are counted, and the trace tells of the gap as soon as it can.
 */
export class TraceRecorder {
  readonly #options: TraceRecorderOptions;
  readonly #disk: Disk;
  #part: TracePart | undefined;
  /** Where the current part is, or is to be; its number; and how many lines the parts before it have. */
  #path: string;
  #number = 1;
  #before = 0;
  #firstPath: string;
  /** The files that rotation has left behind and not removed. */
  readonly #fullFiles: string[] = [];
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

  /** The file that is being written, which is the last part of the trace. */
  get path(): string {
    return this.#path;
  }

  /** Whether there is a file to write to. */
  get isRecording(): boolean {
    return this.#part !== undefined;
  }

  /** Entries that come after the end are not part of the session. */
  append(entries: readonly Entry[]): void {
    const [first] = entries;
    if (first === undefined || this.#closed) return;
    try {
      this.#write(first.atMs, entries, '');
    } catch (error) {
      // Lines that together are longer than a string can be.
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
    const lines: string[] = [];
    const weights: number[] = [];
    if (this.#missed > 0) {
      lines.push(`${this.#gapLine(atMs)}\n`);
      weights.push(this.#missed);
    }
    for (const entry of entries) {
      lines.push(`${entryLine(entry, this.#seq + lines.length)}\n`);
      weights.push(1);
    }
    this.#missed = 0;
    this.#seq += lines.length;
    if (ending !== '') {
      lines.push(ending);
      weights.push(0);
    }
    this.#appending = true;
    this.#appendLines(this.#part, lines, weights);
    this.#appending = false;
  }

  #appendLines(part: TracePart, lines: readonly string[], weights: readonly number[]): void {
    const { rotation } = this.#options;
    const fitting = rotation === undefined ? lines.length : linesThatFit(part, lines, weights, rotation.maxBytes);
    if (fitting > 0) part.append(lines.slice(0, fitting).join(''), weights.slice(0, fitting));
    if (rotation === undefined || fitting === lines.length) return;
    const rest = lines.slice(fitting);
    const next = this.#rotate(part, rotation);
    // Where the next file cannot be created this one goes on: too large is better than lost.
    if (next === undefined) part.append(rest.join(''), weights.slice(fitting));
    else this.#appendLines(next, rest, weights.slice(fitting));
  }

  #gapLine(atMs: number): string {
    const raw = JSON.stringify({ missed: this.#missed, why: this.#reason });
    return entryLine({ kind: 'event', event: 'mcpreel.gap', atMs, raw }, this.#seq);
  }

  /** Begins the file if there is none, and begins it again if somebody has removed it. */
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
    try {
      this.#part = this.#begin(this.#path, this.#number, this.#before);
    } catch (error) {
      this.#lose(0, reasonOf((error as Error).cause ?? error));
    }
  }

  #rotate(full: TracePart, { maxFiles }: Rotation): TracePart | undefined {
    const number = this.#number + 1;
    const before = this.#before + full.lines;
    let next: TracePart;
    try {
      next = this.#begin(partPath(this.#firstPath, number), number, before);
    } catch {
      return undefined;
    }
    this.#closing.push(full.close());
    this.#fullFiles.push(full.path);
    while (this.#fullFiles.length >= maxFiles) remove(this.#fullFiles.shift() ?? '');
    this.#part = next;
    this.#number = number;
    this.#before = before;
    return next;
  }

  #begin(path: string, number: number, before: number): TracePart {
    const { header, rotation } = this.#options;
    const place = rotation === undefined ? undefined : { part: number, before };
    const onLost = (weights: readonly number[], reason: string): void => this.#loseLines(weights, reason);
    const part = new TracePart({ path, header, place, disk: this.#disk, onLost });
    this.#path = part.path;
    if (number === 1) this.#firstPath = part.path;
    return part;
  }

  #loseLines(weights: readonly number[], reason: string): void {
    // The numbers of lines that were to be written at once are free again; otherwise later ones may be taken.
    if (this.#appending) this.#seq -= weights.filter((weight) => weight > 0).length;
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

/** What is left free in every part for the line that may end the trace. */
const END_BYTES = 200;

/** How many of the lines the part takes: a line that is larger than any part gets one of its own; an end belongs to the last. */
function linesThatFit(part: TracePart, lines: readonly string[], weights: readonly number[], maxBytes: number): number {
  let bytes = part.bytes + END_BYTES;
  let isEmpty = part.lines === 0;
  for (const [index, line] of lines.entries()) {
    bytes += Buffer.byteLength(line);
    if (bytes > maxBytes && !isEmpty && weights[index] !== 0) return index;
    isEmpty = false;
  }
  return lines.length;
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays; the session goes on.
  }
}
