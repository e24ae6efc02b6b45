import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Baseline, readBaseline, writeBaseline } from '../../analysis/baseline.ts';
import { ReelError } from '../../model/errors.ts';
import { reasonOf } from '../../state/reason.ts';
import { replaceFile } from '../../state/replace-file.ts';

/** Where a baseline is kept unless another place is named. */
export function defaultBaselinePath(stateFolder: string): string {
  return join(stateFolder, 'baseline.json');
}

/** The baseline in a file; `undefined` where there is no such file. */
export async function loadBaseline(path: string): Promise<Baseline | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ReelError('file-unreadable', `Cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  }
  return readBaseline(text, path);
}

export async function saveBaseline(path: string, baseline: Baseline): Promise<void> {
  // What cannot be made is told by the attempt to write into it.
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(() => undefined);
  await replaceFile(path, [writeBaseline(baseline)]);
}
