import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ReelError } from '../model/errors.ts';
import { cannotRead } from './reason.ts';

const CHUNK_BYTES = 1 << 18;

/** A file that can be read from any offset, any number of times. Its size is fixed when it is opened. */
export interface FileSource {
  readonly name: string;
  readonly size: number;
  read(start: number, end: number): AsyncGenerator<Uint8Array>;
  /** Reads a range at once. It ends early if the file was cut off meanwhile. */
  readNow(start: number, end: number): Uint8Array;
}

export async function openFileSource(path: string): Promise<FileSource> {
  const file = await openForReading(path);
  try {
    const status = await file.stat();
    if (!status.isFile()) {
      if (!status.isDirectory()) throw new ReelError('file-unreadable', `${path} is not a file`);
      throw new ReelError('file-unreadable', `${path} is a folder`, { hint: 'Pass a file in it.' });
    }
    return {
      name: path,
      size: status.size,
      read: (start, end) => readRange(path, start, Math.min(end, status.size)),
      readNow: (start, end) => readRangeNow(path, start, end),
    };
  } finally {
    await file.close();
  }
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (missing)
      throw new ReelError('file-not-found', `No file or session id "${path}"`, {
        hint: 'List sessions: mcpreel sessions',
        cause: error,
      });
    throw cannotRead(path, error);
  }
}

async function* readRange(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  const file = await openForReading(path);
  let next: Promise<Uint8Array> | undefined;
  try {
    next = readChunk(file, start, end);
    for (let position = start; position < end; ) {
      const chunk = await next;
      // What is left may end behind a whole line, and would pass for the whole file.
      if (chunk.length === 0) throw new ReelError('file-unreadable', `${path} became shorter while it was read`);
      position += chunk.length;
      // Read the next chunk while the caller processes this one.
      next = readChunk(file, position, end);
      next.catch(() => undefined);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ReelError) throw error;
    throw cannotRead(path, error);
  } finally {
    await next?.catch(() => undefined);
    await file.close();
  }
}

function readRangeNow(path: string, start: number, end: number): Uint8Array {
  const file = openSync(path, 'r');
  try {
    return readAt(file, start, end);
  } finally {
    closeSync(file);
  }
}

/** Reads a range of an open file at once. It ends early at the end of the file. */
export function readAt(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, end - start));
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, start + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Reads a range of a source into one buffer. */
export async function bytesIn(source: FileSource, start: number, end: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  // A chunk is only valid until the next one is requested.
  for await (const chunk of source.read(start, Math.min(end, source.size))) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function readChunk(file: FileHandle, position: number, end: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  return buffer.subarray(0, bytesRead);
}
