import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { gatherBytes } from '../../../files/gather-bytes.ts';
import { assertWritable, type FilePieces, replaceFile } from '../../../files/replace-file.ts';
import { spoolStream } from '../../../files/spool.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { CommandStep } from '../../command-run.ts';
import { usage } from '../../flags/flag-values.ts';

/** The names of standard output. */
const STANDARD_OUTPUT: ReadonlySet<string> = new Set(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/** Returns whether a result goes to standard output: no file is given, or one of its names. */
export function isStandardOutput<T extends string | undefined>(target: T): target is T & (undefined | '-') {
  return target === undefined || STANDARD_OUTPUT.has(target);
}

/** Writes the result completely or not at all, even on standard output. */
export async function* deliver(pieces: FilePieces, target: string | undefined): CommandStep {
  if (!isStandardOutput(target)) return replaceFile(target, pieces);
  const { source, remove } = await spoolStream(pieces, 'result');
  try {
    yield* gatherBytes(source.read(0, source.size));
  } finally {
    await remove();
  }
}

/**
 * Checks the files that a command writes when its work is done, by their flags, before the work begins: each can be
 * written, and no two are the same. Returns whether one of them is standard output, which then has no room for anything
 * else.
 */
export async function checkTargets(targets: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const onStdout = Object.keys(targets).filter(
    (flag) => targets[flag] !== undefined && isStandardOutput(targets[flag]),
  );
  if (onStdout.length > 1)
    throw usage(`${onStdout.join(' and ')} both write to standard output`, 'Name a file for one of them.');
  const flags = new Map<string, string>();
  for (const [flag, target] of Object.entries(targets)) {
    if (isStandardOutput(target)) continue;
    await assertWritable(target);
    const file = await fileAt(target);
    const other = file && flags.get(file);
    if (other !== undefined)
      throw usage(`${other} and ${flag} both write to ${oneLine(target)}`, 'Name another file for one of them.');
    if (file !== undefined) flags.set(file, flag);
  }
  return onStdout.length > 0;
}

/** The file that a path leads to, whether it exists or not; `undefined` for a device or a pipe. */
async function fileAt(path: string, links = 0): Promise<string | undefined> {
  const existing = await stat(path).catch(() => undefined);
  if (existing !== undefined) return existing.isFile() ? realpath(path) : undefined;
  const link = await readlink(path).catch(() => undefined);
  if (link !== undefined && links < MAX_LINKS) return fileAt(resolve(dirname(path), link), links + 1);
  return join(await realpath(dirname(path)).catch(() => resolve(dirname(path))), basename(path));
}

const MAX_LINKS = 40;

/** The same step with its text on stderr. */
export async function* onStderr<T>(step: CommandStep<T>): CommandStep<T> {
  let next = await step.next();
  for (; !next.done; next = await step.next()) {
    const part = next.value;
    yield typeof part === 'string' ? { note: part.replace(/\n$/, '') } : part;
  }
  return next.value;
}
