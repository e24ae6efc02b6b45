import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '../files/reason.ts';
import { temporaryVariable } from '../files/temporary-variable.ts';
import { ReelError } from '../model/errors.ts';

/** Creates a temporary folder for a recording or a mock. */
export function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'mcpreel-'));
  } catch (cause) {
    throw new ReelError('file-unwritable', `Cannot create a folder in ${tmpdir()}: ${reasonOf(cause)}`, {
      hint: `Set ${temporaryVariable()} to a writable folder.`,
      cause,
    });
  }
}
