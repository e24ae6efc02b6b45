import { constants } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { refusePipeOfOthers } from './replace-file.ts';

const { O_NONBLOCK = 0, O_RDONLY } = constants;

/**
 * Reads a file that a command writes as well. A named pipe of another user is refused, as for writing: its owner could
 * keep this program waiting forever. A pipe of this user, such as a process substitution, is read to its end.
 */
export async function readTextFile(path: string): Promise<string> {
  if (await isOwnPipe(path)) return readFile(path, 'utf8');
  // Opening a pipe that was put here since then does not wait for a writer.
  const file = await open(path, O_RDONLY | O_NONBLOCK);
  try {
    if ((await file.stat()).isFIFO()) throw new Error('it was replaced while being opened');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Whether a path leads to a pipe of this user. Throws if the pipe belongs to another user. */
export async function isOwnPipe(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => undefined);
  if (status?.isFIFO() !== true) return false;
  refusePipeOfOthers(status.uid);
  return true;
}
