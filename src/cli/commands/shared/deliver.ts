import { gatherBytes } from '../../../files/gather-bytes.ts';
import { assertWritable, replaceFile } from '../../../files/replace-file.ts';
import { spoolStream } from '../../../files/spool.ts';
import type { CommandStep } from '../../command-run.ts';
import { usage } from '../../flags/flag-values.ts';

/** The names of standard output. */
const STANDARD_OUTPUT: ReadonlySet<string> = new Set(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/** Returns whether a result goes to standard output: no file is given, or one of its names. */
export function isStandardOutput<T extends string | undefined>(target: T): target is T & (undefined | '-') {
  return target === undefined || STANDARD_OUTPUT.has(target);
}

/** Writes the result completely or not at all, even on standard output. */
export async function* deliver(
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string>,
  target: string | undefined,
): CommandStep {
  if (!isStandardOutput(target)) return replaceFile(target, pieces);
  const { source, remove } = await spoolStream(pieces, 'result');
  try {
    yield* gatherBytes(source.read(0, source.size));
  } finally {
    await remove();
  }
}

/**
 * Checks the files that a command writes when its work is done, by their flags, before the work begins. Returns whether
 * one of them is standard output, which then has no room for anything else.
 */
export async function checkTargets(targets: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const onStdout = Object.keys(targets).filter(
    (flag) => targets[flag] !== undefined && isStandardOutput(targets[flag]),
  );
  if (onStdout.length > 1)
    throw usage(`${onStdout.join(' and ')} both write to standard output`, 'Name a file for one of them.');
  for (const target of Object.values(targets)) if (!isStandardOutput(target)) await assertWritable(target);
  return onStdout.length > 0;
}

/** The same step with its text on stderr. */
export async function* onStderr<T>(step: CommandStep<T>): CommandStep<T> {
  let next = await step.next();
  for (; !next.done; next = await step.next()) {
    const part = next.value;
    yield typeof part === 'string' ? { note: part.replace(/\n$/, '') } : part;
  }
  return next.value;
}
