import { connectLive } from '../control/control-client.ts';
import { readPointers } from '../state/journal-pointers.ts';
import { liveSessions } from '../state/live-sessions.ts';
import { isMeant, type LeftoverReport, type RecoveryPlace, recoverLeftovers } from './leftovers.ts';

/** A session may be busy with a long message. */
const ANSWER_MS = 2000;
/** A session that has just started opens its socket a moment later. */
const TRIES = 10;

/**
 * Makes the trace of a session complete, or all traces: a running session writes all that passed until now, and one that was
 * killed is recovered. Most of the time, there is nothing to do.
 */
export async function completeTraces(place: RecoveryPlace, reference?: string): Promise<LeftoverReport[]> {
  const pointers = await readPointers(place.stateFolder);
  const ids = new Set(
    pointers.filter((pointer) => reference === undefined || isMeant(pointer, reference)).map(({ id }) => id),
  );
  if (ids.size === 0) return [];
  const reports = await recoverLeftovers(place, ({ id }) => ids.has(id));
  const running = new Set(reports.filter(({ outcome }) => outcome.kind === 'running').map(({ pointer }) => pointer.id));
  if (running.size > 0) await askRunning(place, running);
  return reports;
}

/** A session greets a control client after it has recorded all that passed. */
async function askRunning({ stateFolder, signal, pid }: RecoveryPlace, ids: ReadonlySet<string>): Promise<void> {
  const sessions = await liveSessions(stateFolder, signal);
  const asked = sessions.filter((session) => ids.has(session.id) && session.pid !== pid);
  await Promise.all(
    asked.map(async (session) => {
      try {
        const client = await connectLive(session, { tries: TRIES, timeoutMs: ANSWER_MS });
        client.close();
      } catch {
        // It has ended, or records the rest a moment later.
      }
    }),
  );
}
