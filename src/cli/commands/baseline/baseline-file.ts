import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Baseline, readBaseline, writeBaseline } from '../../../analysis/contract/baseline.ts';
import { createFolder } from '../../../files/new-file.ts';
import { readTextFile } from '../../../files/read-text-file.ts';
import { cannotRead } from '../../../files/reason.ts';
import { replaceFile } from '../../../files/replace-file.ts';
import { ReelError } from '../../../model/errors.ts';
import { shellLine } from '../../../model/shell-line.ts';
import { requireOwnState } from '../../../state/own-state.ts';
import type { CommandEnvironment } from '../../context.ts';
import { usage } from '../../flags/flag-values.ts';

type BaselineContext = Pick<CommandEnvironment, 'stateFolder' | 'platform'>;

const FILE_NAME = 'baseline.json';

/** The default path of the baseline file. Throws if another user could exchange it. */
export function defaultBaselinePath(stateFolder: string): string {
  requireOwnState(stateFolder);
  return join(stateFolder, FILE_NAME);
}

/**
 * Reads the baseline file at its default path; `undefined` if it does not exist. A folder of another user is only an
 * error if there is one: that user could have written it to hide changes.
 */
export async function defaultBaseline(stateFolder: string): Promise<Baseline | undefined> {
  if (!existsSync(join(stateFolder, FILE_NAME))) return undefined;
  return loadBaseline(defaultBaselinePath(stateFolder));
}

/** Reads a baseline file; `undefined` if it does not exist. */
export async function loadBaseline(path: string): Promise<Baseline | undefined> {
  if (path === '-') throw usage('--baseline - is not a file: standard input is not read', 'Name a file.');
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cannotRead(path, error);
  }
  return readBaseline(text, path);
}

/** Reads a baseline file; throws if it does not exist. */
export async function requireBaseline(path: string, { stateFolder, platform }: BaselineContext): Promise<Baseline> {
  const baseline = await loadBaseline(path);
  if (baseline !== undefined) return baseline;
  const flag = path === defaultBaselinePath(stateFolder) ? '' : ` --baseline ${shellLine([path], platform)}`;
  throw new ReelError('file-not-found', `No baseline in ${path}`, {
    hint: `Create one: mcpreel baseline accept session.json${flag}`,
  });
}

export async function saveBaseline(path: string, baseline: Baseline, { stateFolder }: BaselineContext): Promise<void> {
  // Only the state folder is created. Elsewhere, a missing folder is most likely a typing error.
  if (path === defaultBaselinePath(stateFolder)) createFolder(dirname(path));
  await replaceFile(path, [writeBaseline(baseline)]);
}
