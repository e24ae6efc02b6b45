import type { RecordedSession } from '../model/session.ts';
import { EarlyTarget } from '../recorded/early-target.ts';
import { dialoguesOf } from '../recorded/recorded-dialogue.ts';
import type { ReplayResult } from './judge/replay-result.ts';
import type { ReplayDeps, ReplayOptions } from './replay-options.ts';

/**
 * Replays the client messages of a session to a live target and compares the responses. Problems with the target become
 * results. It throws only if the target was never reached or the session has nothing to replay.
 */
export async function replaySession(
  session: RecordedSession,
  options: ReplayOptions,
  deps: ReplayDeps,
): Promise<readonly ReplayResult[]> {
  const early = new EarlyTarget(deps.startTarget);
  try {
    const isProgram = options.target.transport === 'stdio';
    const dialogues = await dialoguesOf(isProgram ? early.startWith(session) : session, 'target');
    // The replay modules load while the server starts.
    const { ReplayRun } = await import('./replay-run.ts');
    const run = new ReplayRun(session.header, dialogues, options, { ...deps, startTarget: () => early.take() });
    return await run.play();
  } finally {
    await early.close();
  }
}
