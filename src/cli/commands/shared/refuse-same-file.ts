import { lstat, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isInSessions } from '../../../catalog/own-recording.ts';
import { findTrace } from '../../../catalog/trace-names.ts';
import type { FilePieces } from '../../../files/replace-file.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { partsOf } from '../../../record/trace-parts.ts';
import type { CommandEnvironment } from '../../context.ts';
import { usage } from '../../flags/flag-values.ts';
import type { ProblemReport } from '../../input/problem-report.ts';

/**
 * Throws if a result that does not hold all of a recording would replace that recording. `references` are the recordings
 * as the user named them.
 */
export async function refuseSameFile(
  references: readonly string[],
  outputs: readonly (string | undefined)[],
  context: Pick<CommandEnvironment, 'stateFolder'>,
): Promise<void> {
  const replaced = await replacedInput(references, outputs, context);
  if (replaced !== undefined) throw wouldOverwrite(replaced.output);
}

/** A recording that the result of a command would replace. */
interface ReplacedInput {
  readonly output: string;
  /** Whether it is one of several files of the recording. */
  readonly isPart: boolean;
}

async function replacedInput(
  references: readonly string[],
  outputs: readonly (string | undefined)[],
  { stateFolder }: Pick<CommandEnvironment, 'stateFolder'>,
): Promise<ReplacedInput | undefined> {
  const named = outputs.filter((output) => output !== undefined);
  if (named.length === 0) return undefined;
  for (const given of references) {
    // The shell may have redirected standard input from a file.
    const reference = given === '-' ? '/dev/stdin' : given;
    const path = (await findTrace(stateFolder, reference).catch(() => undefined)) ?? reference;
    const parts = await partsOf(path).catch((): string[] => []);
    for (const part of [path, ...parts]) {
      for (const output of named) if (await isSame(part, output)) return { output, isPart: parts.length > 1 };
    }
  }
  return undefined;
}

/** Throws if a result would replace one of several files of a recording, and so repeat the others. */
export async function refuseOnePart(
  reference: string,
  output: string | undefined,
  context: Pick<CommandEnvironment, 'stateFolder'>,
): Promise<void> {
  const replaced = await replacedInput([reference], [output], context);
  if (replaced?.isPart === true) throw wouldOverwrite(replaced.output);
}

/** Formats whose readers report each part of a file that they leave out. Others pass over what is not MCP. */
const WHOLLY_READ: ReadonlySet<string> = new Set(['trace', 'json', 'jsonrpc']);

/**
 * Makes sure that a recording replaces the file it was read from only if it contains all of it. The result passes through
 * the returned function, which throws at its end if a part of the file was not read.
 */
export async function keptInput(
  reference: string,
  output: string | undefined,
  context: Pick<CommandEnvironment, 'stateFolder'>,
): Promise<(format: string, pieces: FilePieces, problems: ProblemReport) => FilePieces> {
  const replaced = await replacedInput([reference], [output], context);
  if (replaced === undefined) return (_, pieces) => pieces;
  return (format, pieces, problems) => {
    if (replaced.isPart || !WHOLLY_READ.has(format)) throw wouldOverwrite(replaced.output);
    return unlessIncomplete(pieces, () => {
      if (problems.count > 0) throw wouldOverwrite(replaced.output);
    });
  };
}

async function* unlessIncomplete(pieces: FilePieces, confirm: () => void): AsyncGenerator<string | Uint8Array> {
  yield* pieces;
  confirm();
}

function wouldOverwrite(output: string): Error {
  return usage(`The output would overwrite the recording ${oneLine(output)}`, 'Name another file.');
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
