import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReelError } from '../model/errors.ts';
import { type FileSource, openFileSource } from './file-source.ts';
import { reasonOf } from './reason.ts';
import { replaceFile } from './replace-file.ts';
import { temporaryVariable } from './temporary-variable.ts';
import { ThrowawayCipher } from './throwaway-cipher.ts';

/** A stream put where it can be read at any place, and the means to clear it away. */
export interface Spool {
  readonly source: FileSource;
  remove(): Promise<void>;
}

/**
 * Copies a stream into a temporary file that nobody but this process can read: it may hold secrets, and what was encrypted
 * before.
 */
export async function spoolStream(stream: AsyncIterable<string | Uint8Array>, name: string): Promise<Spool> {
  const folder = await temporaryFolder();
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'input');
    const cipher = new ThrowawayCipher();
    await replaceFile(path, cipher.sealed(stream));
    return { source: cipher.opened(await openFileSource(path), name), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'mcpreel-'));
  } catch (cause) {
    throw new ReelError('file-unwritable', `Cannot write to ${tmpdir()}: ${reasonOf(cause)}`, {
      hint: `Name another folder for temporary files with ${temporaryVariable()}.`,
      cause,
    });
  }
}
