import { stat } from 'node:fs/promises';
import { ReelError } from '../../../model/errors.ts';
import type { RecordedSession } from '../../../model/session.ts';
import type { ReplayResult } from '../../../replay/judge/replay-result.ts';

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
  const { assertRewritable } = await import('../../../recorded/rewritable-recording.ts');
  await assertRewritable(file, format);
}

/** Writes the new answers in place of those that have changed; returns how many there are. */
export async function updateSession(
  file: string,
  session: RecordedSession,
  results: readonly ReplayResult[],
): Promise<number> {
  const { acceptedAnswers, withAccepted } = await import('../../../replay/judge/accepted-answers.ts');
  const { saveRecording } = await import('../../../recorded/rewritable-recording.ts');
  const count = acceptedAnswers(results).size;
  if (count > 0) await saveRecording(withAccepted(session, results), file);
  return count;
}
