import { closeSync } from 'node:fs';
import { platform } from 'node:os';
import { AppendLog, type LogDisk, type LogLines } from '../files/append-log.ts';
import { createNewFile, type NewFile } from '../files/new-file.ts';
import { removeQuietly } from '../files/remove-quietly.ts';
import { metaLine } from '../formats/trace/trace-writer.ts';
import type { SessionHeader } from '../model/session.ts';

export interface TracePartOptions {
  readonly path: string;
  readonly header: SessionHeader;
  /** Which part of a rotating trace it is, and how many entries the earlier ones hold. */
  readonly place: { readonly part: number; readonly before: number } | undefined;
  readonly disk: LogDisk;
  /** The part before it, whose lines are written first. */
  readonly after?: TracePart | undefined;
  /** Told of lines that could not be written: how many entries each stands for, and why. */
  readonly onLost: (weights: readonly number[], reason: string) => void;
}

/** Lines to append: one that tells of a gap, if there is one, then a line for each entry, then perhaps the end. */
export class TraceLineBatch implements LogLines {
  readonly text: string;
  /** How many entries the first line tells to be missing; 0 if it is not such a line. */
  readonly gap: number;
  /** How many lines are for entries. */
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

/** One file of a trace while it is written. It always begins with its header. */
export class TracePart {
  readonly path: string;
  readonly #log: AppendLog;
  /** Its size with what is still to be written, where that is asked for. */
  bytes: number;
  #lines = 0;
  #entries = 0;

  /** Throws where the file cannot be created, or cannot hold its header. */
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

  /** How many lines it has for entries, and how many entries they stand for: a line may tell of a gap. */
  get lines(): number {
    return this.#lines;
  }

  get entries(): number {
    return this.#entries;
  }

  get isRemoved(): boolean {
    return this.#log.isRemoved;
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
    // What went wrong first is what to tell.
  }
  removeQuietly(path);
}
