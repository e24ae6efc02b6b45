import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, readFile, stat } from 'node:fs/promises';
import { reasonOf } from '../files/reason.ts';
import { takeItsPlace } from '../files/replace-file.ts';
import { ReelError } from '../model/errors.ts';

const { W_OK } = constants;

/**
 * Replaces a file's text atomically and keeps the file's mode and owner. If the file no longer contains the old text,
 * another program has changed it, and it stays unchanged.
 */
export async function rewriteFile(path: string, before: string, after: string): Promise<void> {
  try {
    await access(path, W_OK);
    const existing = await stat(path);
    const fill = async (file: FileHandle): Promise<void> => {
      await file.writeFile(after);
      await takeOver(file, existing);
    };
    await takeItsPlace(path, fill, async () => {
      if ((await readFile(path)).equals(Buffer.from(before))) return;
      throw new ReelError('file-unwritable', 'the file changed in the meantime', { hint: 'Try again.' });
    });
  } catch (error) {
    if (error instanceof ReelError) throw error;
    throw new ReelError('file-unwritable', `cannot write: ${reasonOf(error)}`, { cause: error });
  }
}

async function takeOver(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const created = await file.stat();
  if (created.uid !== uid || created.gid !== gid) await file.chown(uid, gid);
  // Set the mode after the owner, because changing the owner clears some mode bits.
  await file.chmod(mode & 0o7777);
}
