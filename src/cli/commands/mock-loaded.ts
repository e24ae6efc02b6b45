import { randomUUID } from 'node:crypto';
import { ReelError } from '../../model/errors.ts';
import type { RecordedSession } from '../../model/session.ts';
import type { Forwarding } from '../../replay/mock-forwarding.ts';
import type { RecordedDialogue } from '../../replay/recorded-dialogue.ts';
import type { Context } from '../context.ts';
import { ProblemReport } from '../problems.ts';
import { countOf } from './counting.ts';
import { isAll, type MissPlan } from './mock-forward.ts';
import { openWatchedSession } from './open-watched.ts';
import type { ReadingFlags } from './reading.ts';

/** A recording in memory, and open for as long as something may be added to it. */
export interface Loaded {
  readonly session: RecordedSession;
  readonly dialogues: readonly RecordedDialogue[];
  close(): Promise<void>;
}

/** Reads the recording that is to be served, or begins one that is not there yet. */
export async function loadRecording(
  reference: string,
  flags: ReadingFlags,
  plan: MissPlan,
  context: Context,
): Promise<Loaded> {
  const { dialoguesOf } = await import('../../replay/recorded-dialogue.ts');
  if (plan.kind === 'forward' && !plan.exists) return loadNothing(reference, plan);
  const problems = new ProblemReport(context.output, { strict: flags.strict === true });
  const { output: _, ...around } = context;
  const { format, identity: identityFiles } = flags;
  const options = { ...around, format, identityFiles, onProblem: problems.add };
  const session = await openWatchedSession(reference, options, context);
  try {
    if (plan.kind === 'forward') {
      const { assertAddable } = await import('../../replay/mock-recording.ts');
      assertAddable(session.format, reference);
    }
    const dialogues = await dialoguesOf(session, 'client');
    const isEmpty = !dialogues.some(({ steps }) => steps.some(({ kind }) => kind === 'request'));
    if (isEmpty && plan.kind === 'error') throw nothingToAnswer(reference);
    return { session, dialogues, close: () => session.close() };
  } catch (error) {
    await session.close();
    throw error;
  } finally {
    problems.close();
  }
}

/** Adds what is new to the recording, or puts it in its place. */
export async function keep(
  session: RecordedSession,
  plan: MissPlan,
  forwarding: Forwarding | undefined,
  reference: string,
  note: (line: string) => void,
): Promise<void> {
  if (plan.kind === 'error' || forwarding === undefined || forwarding.recording.size === 0) return;
  const { saveRecording } = await import('../../replay/mock-recording.ts');
  const { withoutEntries } = await import('../../replay/mock-forwarding.ts');
  const { recording } = forwarding;
  await saveRecording(recording.added(isAll(plan) ? withoutEntries(session) : session), reference);
  note(`mcpreel: Added ${countOf(recording.size, 'message')} to ${reference}`);
}

function nothingToAnswer(reference: string): ReelError {
  const hint = 'There is nothing that it could answer.';
  return new ReelError('session-empty', `No requests of a client in ${reference}`, { hint });
}

async function loadNothing(reference: string, { target }: Extract<MissPlan, { kind: 'forward' }>): Promise<Loaded> {
  const [{ headerOf }, { emptyRecording }] = await Promise.all([
    import('../../replay/mock-forwarding.ts'),
    import('../../replay/mock-recording.ts'),
  ]);
  const session = emptyRecording(reference, headerOf(target, { nowMs: Date.now, newId: randomUUID }));
  return { session, dialogues: [], close: async () => undefined };
}
