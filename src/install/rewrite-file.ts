import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ReelError } from '../model/errors.ts';
import { reasonOf } from '../state/reason.ts';

const { O_CREAT, O_EXCL, O_WRONLY, W_OK } = constants;

/**
 * Puts a new text in the place of an old one at once, with the mode and the owner of the file. If by then the file
 * says anything but the old text, somebody else wrote it, and it stays as it is.
 */
export async function rewriteFile(path: string, before: string, after: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await access(path, W_OK);
    const existing = await stat(path);
    const file = await open(temporary, O_CREAT | O_EXCL | O_WRONLY, 0o600);
    try {
      await file.writeFile(after);
      await takeOver(file, existing);
      await file.sync();
    } finally {
      await file.close();
    }
    if (!(await readFile(path)).equals(Buffer.from(before))) {
      throw new ReelError('file-unwritable', 'it changed meanwhile', { hint: 'Try again.' });
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    if (error instanceof ReelError) throw error;
    throw new ReelError('file-unwritable', `it cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}

async function takeOver(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const created = await file.stat();
  if (created.uid !== uid || created.gid !== gid) await file.chown(uid, gid);
  // After the owner: changing that one clears some bits of the mode.
  await file.chmod(mode & 0o7777);
}
