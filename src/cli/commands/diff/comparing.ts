import { Option } from 'commander';
import { rulesInFile } from '../../../analysis/diff/ignore-rules.ts';
import { PROFILES, type Profile } from '../../../analysis/import/profile.ts';
import { readTextFile } from '../../../files/read-text-file.ts';
import { cannotRead } from '../../../files/reason.ts';
import { ReelError } from '../../../model/errors.ts';
import { gather } from '../../flags/repeated.ts';

/** The flags of commands that compare responses. */
export interface ComparingFlags {
  readonly compare: Profile;
  readonly ignore?: readonly string[];
  readonly ignoreFile?: string;
}

export function comparingOptions(ignoreFileHelp: string): Option[] {
  return [
    new Option(
      '--compare <profile>',
      'strict: all but ids; semantic: ignore values that change in every run; shape: names and types only',
    )
      .choices(PROFILES)
      .default('semantic')
      .helpGroup('Comparison:'),
    new Option('--ignore <path>', 'do not compare this path, like $.result.total (repeatable)')
      .argParser(gather)
      .helpGroup('Comparison:'),
    new Option('--ignore-file <file>', ignoreFileHelp).helpGroup('Comparison:'),
  ];
}

/** Reads the rules of an ignore file. */
export async function readIgnoreFile(path: string, mayBeMissing = false): Promise<string[]> {
  return rulesInFile((await readIgnoreText(path, mayBeMissing)) ?? '', path);
}

/** The text of an ignore file; `undefined` if it is missing and may be. */
export async function readIgnoreText(path: string, mayBeMissing: boolean): Promise<string | undefined> {
  try {
    return await readTextFile(path);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing && mayBeMissing) return undefined;
    if (isMissing) throw new ReelError('file-not-found', `Cannot read ${path}: no such file`, { cause });
    throw cannotRead(path, cause);
  }
}
