import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ReelError } from '../model/errors.ts';
import { gatherBytes } from './gather-bytes.ts';
import { reasonOf } from './reason.ts';

const { O_CREAT, O_EXCL, O_WRONLY } = constants;

/**
 * Writes a whole file or nothing: the text goes to a temporary file beside it, which takes its place once it is
 * complete and on disk. An existing file survives every failure.
 */
export async function replaceFile(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    if (await isFolder(path)) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    await writeDurably(temporary, pieces);
    await rename(temporary, path);
  } catch (error) {
    // It may not be there, nor its folder; what went wrong first is what to tell.
    await rm(temporary, { force: true }).catch(() => undefined);
    if (error instanceof ReelError) throw error;
    throw new ReelError('file-unwritable', `Cannot write ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
}

async function writeDurably(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const file = await open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600);
  try {
    // One piece is written while the next is being made.
    let written: Promise<unknown> = Promise.resolve();
    try {
      for await (const bytes of gatherBytes(pieces)) {
        await written;
        written = file.writeFile(bytes);
        // Awaited with the next piece; until then a failure must not count as unheard.
        written.catch(() => undefined);
      }
    } finally {
      await written;
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
