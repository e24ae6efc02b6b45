import { closeSync } from 'node:fs';
import { platform } from 'node:os';
import { AppendLog, type LogDisk, type LogLines } from '../files/append-log.ts';
import { type FileIdentity, isStill, openFileIdentity } from '../files/file-identity.ts';
import { createNewFile, type NewFile } from '../files/new-file.ts';
import { removeQuietly } from '../files/remove-quietly.ts';
import { metaLine } from '../formats/trace/trace-writer.ts';
import type { SessionHeader } from '../model/session.ts';

/** Options for one file of a trace while it is being written. */
export interface TracePartOptions {
  readonly path: string;
  readonly header: SessionHeader;
  /** The part's number in a rotating trace, and the number of entries in the earlier parts. */
  readonly place: { readonly part: number; readonly before: number } | undefined;
  readonly disk: LogDisk;
  /** The previous part, whose lines are written first. */
  readonly after?: TracePart | undefined;
  /** Called when lines could not be written, with the number of entries per line and the reason. */
  readonly onLost: (weights: readonly number[], reason: string) => void;
}

/** Lines to append: an optional gap line, one line per entry and an optional end line. */
export class TraceLineBatch implements LogLines {
  readonly text: string;
  /** The number of missing entries that the first line reports. 0 if it is not a gap line. */
  readonly gap: number;
  /** The number of entry lines. */
  readonly entries: number;

  constructor(text: string, gap: number, entries: number) {
    this.text = text;
    this.gap = gap;
    this.entries = entries;
  }

  weights(): number[] {
    const ones = new Array<number>(this.entries).fill(1);
    return this.gap > 0 ? [this.gap, ...ones] : ones;
  }
}

/** One file of a trace while it is being written. It always begins with the header. */
export class TracePart {
  readonly path: string;
  readonly #file: FileIdentity;
  readonly #log: AppendLog;
  /**
   * The file's size in bytes, including bytes that are not written yet. The recorder updates it only when the trace
   * rotates.
   */
  bytes: number;
  #lines = 0;
  #entries = 0;

  /** Throws if the file cannot be created or its header cannot be written. */
  constructor({ path, header, place, disk, after, onLost }: TracePartOptions) {
    const meta = Buffer.from(`${metaLine(place === undefined ? header : headerOfPart(header, place))}\n`);
    const file = createNewFile(path);
    try {
      for (let at = 0; at < meta.length; ) at += disk.writeNow(file.descriptor, meta, at);
    } catch (error) {
      discard(file);
      throw error;
    }
    this.path = file.path;
    this.#file = openFileIdentity(file.descriptor);
    this.bytes = meta.length;
    this.#log = new AppendLog(file.descriptor, {
      disk,
      after: after === undefined ? undefined : after.#log,
      path: platform() === 'win32' ? file.path : undefined,
      onLost: (weights, reason) => {
        this.#lines -= weights.length;
        for (const weight of weights) this.#entries -= weight;
        onLost(weights, reason);
      },
    });
  }

  /**
   * `lines` counts the lines for entries, including gap lines. `entries` counts the entries that these lines represent,
   * including missing ones.
   */
  get lines(): number {
    return this.#lines;
  }

  get entries(): number {
    return this.#entries;
  }

  get waitingBytes(): number {
    return this.#log.waitingBytes;
  }

  get isRemoved(): boolean {
    return this.#log.isRemoved;
  }

  /** Whether its name still stands for this file. */
  get isInPlace(): boolean {
    return isStill(this.path, this.#file);
  }

  append(lines: TraceLineBatch): void {
    this.#entries += lines.gap + lines.entries;
    this.#lines += lines.entries + (lines.gap > 0 ? 1 : 0);
    this.#log.append(lines);
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}

function headerOfPart(header: SessionHeader, place: { readonly part: number; readonly before: number }): SessionHeader {
  const kept = JSON.parse(header.keepsakes?.trace ?? '{}') as object;
  return { ...header, keepsakes: { ...header.keepsakes, trace: JSON.stringify({ ...kept, ...place }) } };
}

function discard({ path, descriptor }: NewFile): void {
  try {
    closeSync(descriptor);
  } catch {
    // The caller reports the first error.
  }
  removeQuietly(path);
}
