import { createReadStream, statSync } from 'node:fs';
import { cannotRead } from './reason.ts';

/**
 * Returns whether a path can be read only once, from its beginning: a named pipe, a process substitution or a device.
 * The path is not opened to find out, because the writer of a pipe would notice.
 */
export function isPipe(path: string): boolean {
  try {
    const status = statSync(path);
    return status.isFIFO() || status.isCharacterDevice() || status.isSocket();
  } catch {
    return false;
  }
}

/** The names of standard input in the file system. */
const STANDARD_INPUT: ReadonlySet<string> = new Set(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/** Returns whether a path names the process's standard input. If that is a socket, it cannot be opened again. */
export function isStandardInput(path: string): boolean {
  return STANDARD_INPUT.has(path);
}

export async function* readPipe(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw cannotRead(path, error);
  }
}
