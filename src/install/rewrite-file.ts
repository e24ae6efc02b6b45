import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, readFile, stat } from 'node:fs/promises';
import { reasonOf } from '../files/reason.ts';
import { takeItsPlace } from '../files/replace-file.ts';
import { ReelError } from '../model/errors.ts';

const { W_OK } = constants;

/**
 * Puts a new text in the place of an old one at once, with the mode and the owner of the file. If by then the file
 * says anything but the old text, somebody else wrote it, and it stays as it is.
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
      throw new ReelError('file-unwritable', 'it changed meanwhile', { hint: 'Try again.' });
    });
  } catch (error) {
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
