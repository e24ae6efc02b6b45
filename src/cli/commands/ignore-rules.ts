import { readFile } from 'node:fs/promises';
import { rulesInFile } from '../../analysis/diff-ignore.ts';
import { ReelError } from '../../model/errors.ts';
import { reasonOf } from '../../state/reason.ts';

/** The rules in a file of places that are not to be compared. */
export async function readIgnoreFile(path: string, mayBeMissing = false): Promise<string[]> {
  return rulesInFile((await readIgnoreText(path, mayBeMissing)) ?? '', path);
}

/** Its text; `undefined` where it is not there and need not be. */
export async function readIgnoreText(path: string, mayBeMissing: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && mayBeMissing) return undefined;
    throw isMissing
      ? new ReelError('file-not-found', `Ignore file not found: ${path}`, { cause })
      : new ReelError('file-unreadable', `Cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}
