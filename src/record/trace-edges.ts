import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { cannotRead } from '../files/reason.ts';
import { ObjectView } from '../json/object-view.ts';
import { isOutOfFiles } from '../model/errors.ts';

/** The first and last lines of a trace file, read without the lines in between. */
export interface TraceEdges {
  readonly bytes: number;
  readonly modifiedAtMs: number;
  /** The meta line, if the file begins with one. */
  readonly meta: ObjectView | undefined;
  /** The end line, if the last readable line is one. */
  readonly end: ObjectView | undefined;
  /** The number of entries up to the end of this file, if its last lines contain it. */
  readonly entries: number | undefined;
}

/** Most meta lines and most last lines are much shorter than this. */
const FIRST_BYTES = 1 << 12;
/** Lines longer than this are not read, because reading them would take too long. */
const MAX_BYTES = 1 << 24;
const LINE_FEED = 0x0a;

/**
 * Reads both ends of a trace. Returns `undefined` if the path is not a readable file. The reads are synchronous: for a
 * few small reads, asynchronous calls take several times as long.
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

/** Reads the meta line of a trace. Returns `undefined` if the file does not begin with one or cannot be read. */
export function readMeta(path: string): ObjectView | undefined {
  return withFile(path, (file) => (fstatSync(file).isFile() ? readMetaLine(file) : undefined));
}

/** What was a file may have become a pipe, which must not block until it has a writer. Windows has no such flag. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function withFile<T>(path: string, look: (file: number) => T | undefined): T | undefined {
  let file: number | undefined;
  try {
    // Opening and closing a named pipe would lose what its writer has written.
    if (!statSync(path).isFile()) return undefined;
    file = openSync(path, READING);
    return look(file);
  } catch (error) {
    // Without this, sessions would silently be missing.
    if (isOutOfFiles(error)) throw cannotRead(path, error);
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
    // A single-line document may be very long. The rest is only worth reading if it is a meta line.
    if (length >= MAX_BYTES || ObjectView.ofHead(text).string('type') !== 'meta') return undefined;
  }
}

function readTail(file: number, size: number): Pick<TraceEdges, 'end' | 'entries'> {
  for (let length = FIRST_BYTES; ; length *= 8) {
    const start = Math.max(0, size - length);
    const { last, entry } = lastWordsOf(readAt(file, start, size - start), start === 0);
    if (entry !== undefined || start === 0 || length >= MAX_BYTES) {
      return { end: last?.string('type') === 'end' ? last : undefined, entries: entry && entriesUpTo(entry) };
    }
  }
}

/**
 * Returns the last readable line, and the last readable line that is not an end line. Lines before them are not
 * decoded. Unless the bytes are `whole`, their first line most likely starts before them.
 */
function lastWordsOf(bytes: Buffer, whole: boolean): { last?: ObjectView; entry?: ObjectView } {
  let last: ObjectView | undefined;
  for (let end = bytes.length; end >= 0; ) {
    const start = end === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, end - 1) + 1;
    if (start === 0 && !whole) break;
    const line = ObjectView.of(bytes.toString('utf8', start, end));
    if (line !== undefined) {
      last ??= line;
      if (line.string('type') !== 'end') return { last, entry: line };
    }
    end = start - 1;
  }
  return last === undefined ? {} : { last };
}

/** Entries are numbered from 0. The meta line of a part gives the number of entries before it. */
function entriesUpTo(line: ObjectView): number | undefined {
  const seq = line.number('seq');
  if (seq !== undefined) return seq + 1;
  return line.string('type') === 'meta' ? (line.number('before') ?? 0) : undefined;
}

/** Shared by all short reads: they are synchronous, and their bytes become text at once. */
const FIRST_BUFFER = Buffer.alloc(FIRST_BYTES);

function readAt(file: number, position: number, length: number): Buffer {
  const buffer = length <= FIRST_BYTES ? FIRST_BUFFER : Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = readSync(file, buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
