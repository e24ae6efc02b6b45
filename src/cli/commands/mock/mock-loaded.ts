import { randomUUID } from 'node:crypto';
import type { MockForwarding } from '../../../mock/forwarding.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { countOf } from '../../../present/figures.ts';
import type { RecordedDialogue } from '../../../recorded/recorded-dialogue.ts';
import type { CommandEnvironment } from '../../context.ts';
import { usage } from '../../flags/flag-values.ts';
import { ProblemReport } from '../../input/problem-report.ts';
import { openWatchedSession } from '../shared/open-watched.ts';
import type { ReadingFlags } from '../shared/reading.ts';
import { isAll, type MissPlan } from './mock-forward.ts';

/** A recording in memory, kept open while entries may be added to it. */
export interface LoadedMock {
  readonly session: RecordedSession;
  readonly dialogues: readonly RecordedDialogue[];
  close(): Promise<void>;
}

/** Reads the recording to serve, or starts a new one if it does not exist. */
export async function loadRecording(
  reference: string,
  flags: ReadingFlags,
  plan: MissPlan,
  context: CommandEnvironment,
): Promise<LoadedMock> {
  const { dialoguesOf } = await import('../../../recorded/recorded-dialogue.ts');
  if (plan.kind === 'forward' && !plan.exists) {
    await refuseId(reference, context);
    return loadNothing(reference, plan);
  }
  const problems = new ProblemReport(context.direct, { strict: flags.strict === true });
  const { stateFolder, stdin } = context;
  const { format, identity: identityFiles } = flags;
  const options = { stateFolder, stdin, format, identityFiles, onProblem: problems.add };
  const session = await openWatchedSession(reference, options, context);
  try {
    if (plan.kind === 'forward') {
      const { assertRewritable } = await import('../../../recorded/rewritable-recording.ts');
      await assertRewritable(reference, session.format);
    }
    const dialogues = await dialoguesOf(session, 'client');
    if (plan.kind === 'error') {
      const { assertAnswers } = await import('../../../mock/new-recording.ts');
      assertAnswers(dialogues, reference);
    }
    return { session, dialogues, close: () => session.close() };
  } catch (error) {
    await session.close();
    throw error;
  } finally {
    problems.close();
  }
}

/** Adds the new exchanges to the recording, or replaces it with them. */
export async function keep(
  session: RecordedSession,
  plan: MissPlan,
  forwarding: MockForwarding | undefined,
  reference: string,
  note: (line: string) => void,
): Promise<void> {
  if (plan.kind === 'error' || forwarding === undefined || forwarding.recording.size === 0) return;
  const { saveRecording } = await import('../../../recorded/rewritable-recording.ts');
  const { withoutEntries } = await import('../../../mock/forwarding.ts');
  const { recording } = forwarding;
  await saveRecording(recording.added(isAll(plan) ? withoutEntries(session) : session), reference);
  note(`mcpreel: Added ${countOf(recording.size, 'message')} to ${reference}`);
}

/** A session id cannot name a new recording, because that recording would not contain the session. */
async function refuseId(reference: string, { stateFolder }: CommandEnvironment): Promise<void> {
  const { findTrace } = await import('../../../catalog/trace-names.ts');
  const trace = await findTrace(stateFolder, reference);
  if (trace !== undefined)
    throw usage(`Cannot add to ${reference}: it is the id of a session`, `Name its file: ${trace}`);
}

async function loadNothing(reference: string, { target }: Extract<MissPlan, { kind: 'forward' }>): Promise<LoadedMock> {
  const [{ headerOf }, { emptyRecording }] = await Promise.all([
    import('../../../mock/forwarding.ts'),
    import('../../../mock/new-recording.ts'),
  ]);
  const session = emptyRecording(reference, headerOf(target, { nowMs: Date.now, newId: randomUUID }));
  return { session, dialogues: [], close: async () => undefined };
}
