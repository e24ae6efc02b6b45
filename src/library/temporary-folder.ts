import { mkdtempSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReelError } from '../model/errors.ts';
import { reasonOf } from '../state/reason.ts';

/** Makes a folder for as long as a recording or a mock lasts. */
export function temporaryFolder(parent: string = tmpdir(), os: string = platform()): string {
  try {
    return mkdtempSync(join(parent, 'mcpreel-'));
  } catch (cause) {
    throw new ReelError('file-unwritable', `Cannot make a folder in ${parent}: ${reasonOf(cause)}`, {
      hint: `Set ${os === 'win32' ? 'TEMP' : 'TMPDIR'} to a folder that can be written to.`,
      cause,
    });
  }
}
