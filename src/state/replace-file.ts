import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
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
    const existing = await stat(path).catch(() => undefined);
    if (existing?.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
    if (existing !== undefined && !existing.isFile()) {
      // A device or a pipe is written to; a file in its place would break it for everybody.
      await writeInto(await open(path, O_WRONLY), pieces);
      return;
    }
    await writeDurably(temporary, pieces);
    await rename(temporary, path);
  } catch (error) {
    // It may not be there, nor its folder; what went wrong first is what to tell.
    await rm(temporary, { force: true }).catch(() => undefined);
    if (error instanceof ReelError) throw error;
    throw new ReelError('file-unwritable', `Cannot write ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

async function writeDurably(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const file = await open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600);
  await writeInto(file, pieces, () => file.sync());
}

async function writeInto(
  file: FileHandle,
  pieces: AsyncIterable<string | Uint8Array>,
  finish: () => Promise<void> = async () => undefined,
): Promise<void> {
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
    await finish();
  } finally {
    await file.close();
  }
}
