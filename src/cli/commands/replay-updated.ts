import { stat } from 'node:fs/promises';
import { writers } from '../../formats/registry.ts';
import { ReelError } from '../../model/errors.ts';
import type { RecordedSession } from '../../model/session.ts';
import type { ReplayResult } from '../../replay/replay-result.ts';
import { replaceFile } from '../../state/replace-file.ts';

/** The formats that hold all of a session, so that it can be written again. */
const WHOLE: ReadonlySet<string> = new Set(['json', 'trace']);

/** Refuses a session that new answers cannot be written into, before anything is sent. */
export async function checkUpdatable(file: string, { format }: RecordedSession): Promise<void> {
  const isFile =
    file !== '-' &&
    (await stat(file).then(
      (status) => status.isFile(),
      () => false,
    ));
  if (!isFile) {
    throw new ReelError('usage', `--update needs a file, and ${file} is none`, {
      hint: 'Name the file of the session.',
    });
  }
  if (WHOLE.has(format)) return;
  throw new ReelError('usage', `--update cannot rewrite ${file}: it is in the format ${format}`, {
    hint: 'Write it as a session file first: mcpreel export -f json.',
  });
}

/** Writes the new answers in place of those that have changed; returns how many there are. */
export async function updateSession(
  file: string,
  session: RecordedSession,
  results: readonly ReplayResult[],
): Promise<number> {
  const { acceptedAnswers, withAccepted } = await import('../../replay/replay-update.ts');
  const count = acceptedAnswers(results).size;
  const writer = writers.find(({ id }) => id === session.format);
  if (count > 0 && writer !== undefined) await replaceFile(file, writer.write(withAccepted(session, results)));
  return count;
}
