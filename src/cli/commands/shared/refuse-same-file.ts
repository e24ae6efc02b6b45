import { lstat, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isInSessions } from '../../../catalog/own-recording.ts';
import { findTrace } from '../../../catalog/trace-names.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { partsOf } from '../../../record/trace-parts.ts';
import type { CommandEnvironment } from '../../context.ts';
import { usage } from '../../flags/flag-values.ts';

/**
 * Throws if a result that does not hold all of a recording would replace that recording. `references` are the recordings
 * as the user named them.
 */
export async function refuseSameFile(
  references: readonly string[],
  outputs: readonly (string | undefined)[],
  { stateFolder }: Pick<CommandEnvironment, 'stateFolder'>,
): Promise<void> {
  const named = outputs.filter((output) => output !== undefined);
  if (named.length === 0) return;
  for (const given of references) {
    // The shell may have redirected standard input from a file.
    const reference = given === '-' ? '/dev/stdin' : given;
    const path = (await findTrace(stateFolder, reference).catch(() => undefined)) ?? reference;
    for (const part of [path, ...(await partsOf(path).catch((): string[] => []))]) {
      for (const output of named) {
        if (!(await isSame(part, output))) continue;
        throw usage(`The output would overwrite the recording ${oneLine(output)}`, 'Name another file.');
      }
    }
  }
}

/**
 * Throws if a recording of unknown origin would be written among the sessions that mcpreel recorded here, whose commands
 * need not be typed. Only `import` marks what it writes there.
 */
export async function refuseAmongOwn(
  reference: string,
  output: string | undefined,
  { stateFolder }: Pick<CommandEnvironment, 'stateFolder'>,
): Promise<void> {
  if (output === undefined || !isInSessions(output, stateFolder)) return;
  const path = (await findTrace(stateFolder, reference).catch(() => undefined)) ?? reference;
  if (reference !== '-' && isInSessions(path, stateFolder)) return;
  throw usage(
    `${oneLine(output)} is among the sessions that were recorded here`,
    'Name another folder, or use mcpreel import --to trace, which marks the recording as imported.',
  );
}

/** The output replaces whatever has its name, so a link to the recording is not the recording. */
async function isSame(input: string, output: string): Promise<boolean> {
  if (resolve(input) === resolve(output)) return true;
  const [a, b] = await Promise.all([stat(input).catch(() => undefined), lstat(output).catch(() => undefined)]);
  // Windows has no inode number for some file systems.
  return b?.isFile() === true && a !== undefined && a.ino !== 0 && a.dev === b.dev && a.ino === b.ino;
}
