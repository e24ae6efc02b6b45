import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Baseline, readBaseline, writeBaseline } from '../../../analysis/contract/baseline.ts';
import { createFolder } from '../../../files/new-file.ts';
import { cannotRead } from '../../../files/reason.ts';
import { replaceFile } from '../../../files/replace-file.ts';
import { ReelError } from '../../../model/errors.ts';
import { usage } from '../../flags/flag-values.ts';

/** The default path of the baseline file. */
export function defaultBaselinePath(stateFolder: string): string {
  return join(stateFolder, 'baseline.json');
}

/** Reads a baseline file; `undefined` if it does not exist. */
export async function loadBaseline(path: string): Promise<Baseline | undefined> {
  if (path === '-') throw usage('--baseline - is not a file: standard input is not read', 'Name a file.');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cannotRead(path, error);
  }
  return readBaseline(text, path);
}

/** Reads a baseline file; throws if it does not exist. */
export async function requireBaseline(path: string): Promise<Baseline> {
  const baseline = await loadBaseline(path);
  if (baseline !== undefined) return baseline;
  throw new ReelError('file-not-found', `No baseline in ${path}`, {
    hint: 'Create one: mcpreel baseline accept session.json',
  });
}

export async function saveBaseline(path: string, baseline: Baseline): Promise<void> {
  createFolder(dirname(path));
  await replaceFile(path, [writeBaseline(baseline)]);
}
