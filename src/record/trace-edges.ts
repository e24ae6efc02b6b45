import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { ObjectView } from '../json/object-view.ts';

/** What the two ends of a trace's file tell, read without what is between them. */
export interface TraceEdges {
  readonly bytes: number;
  readonly modifiedAtMs: number;
  /** The meta line, if the file begins with one. */
  readonly meta: ObjectView | undefined;
  /** The end line, if the last line that can be read is one. */
  readonly end: ObjectView | undefined;
  /** How many entries there are up to the end of this file, if its last lines say so. */
  readonly entries: number | undefined;
}

/** Most meta lines, and most last lines, are far shorter. */
const FIRST_BYTES = 1 << 12;
/** What is longer stays unknown: nobody wants to wait for it. */
const MAX_BYTES = 1 << 24;
const LINE_FEED = 0x0a;

/**
 * Looks at both ends of a trace; `undefined` for what is no file or cannot be read. It does not wait: for a few small
 * reads that would take several times as long as the reads themselves.
 */
export function readEdges(path: string): TraceEdges | undefined {
  return withFile(path, (file) => {
    const status = fstatSync(file);
    if (!status.isFile()) return undefined;
    return {
      bytes: status.size,
      modifiedAtMs: status.mtimeMs,
      meta: readMetaLine(file),
      ...readTail(file, status.size),
    };
  });
}

/** The meta line of a trace; `undefined` where the file begins with anything else, or cannot be read. */
export function readMeta(path: string): ObjectView | undefined {
  return withFile(path, (file) => (fstatSync(file).isFile() ? readMetaLine(file) : undefined));
}

/** Opening a pipe must not wait for its writer. Windows has neither. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function withFile<T>(path: string, look: (file: number) => T | undefined): T | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, READING);
    return look(file);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readMetaLine(file: number): ObjectView | undefined {
  for (let length = FIRST_BYTES; ; length *= 8) {
    const read = readAt(file, 0, length);
    const end = read.indexOf(LINE_FEED);
    const text = read.toString('utf8', 0, end < 0 ? read.length : end).replace(/^\uFEFF/, '');
    if (end >= 0 || read.length < length) {
      const line = ObjectView.of(text);
      return line?.string('type') === 'meta' ? line : undefined;
    }
    // A document on one line may be as long as it likes: only of a meta line is the rest worth reading.
    if (length >= MAX_BYTES || ObjectView.ofHead(text).string('type') !== 'meta') return undefined;
  }
}

function readTail(file: number, size: number): Pick<TraceEdges, 'end' | 'entries'> {
  for (let length = FIRST_BYTES; ; length *= 8) {
    const start = Math.max(0, size - length);
    const lines = readAt(file, start, size - start)
      .toString('utf8')
      .split('\n');
    // The first one was most likely begun before `start`.
    if (start > 0) lines.shift();
    const { last, entry } = lastWordsOf(lines);
    if (entry !== undefined || start === 0 || length >= MAX_BYTES) {
      return { end: last?.string('type') === 'end' ? last : undefined, entries: entry && entriesUpTo(entry) };
    }
  }
}

/** The last line that can be read, and the last one of those that is no end of a session. */
function lastWordsOf(lines: readonly string[]): { last?: ObjectView; entry?: ObjectView } {
  let last: ObjectView | undefined;
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = ObjectView.of(lines[i] ?? '');
    if (line === undefined) continue;
    last ??= line;
    if (line.string('type') !== 'end') return { last, entry: line };
  }
  return last === undefined ? {} : { last };
}

/** Entries are numbered from 0; a part says how many there were before it. */
function entriesUpTo(line: ObjectView): number | undefined {
  const seq = line.number('seq');
  if (seq !== undefined) return seq + 1;
  return line.string('type') === 'meta' ? (line.number('before') ?? 0) : undefined;
}

function readAt(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = readSync(file, buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
