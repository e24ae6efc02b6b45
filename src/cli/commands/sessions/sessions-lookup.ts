import type { StoredSession } from '../../../catalog/stored-session.ts';
import { storedSession, storedSessions } from '../../../catalog/stored-sessions.ts';
import { findTrace } from '../../../catalog/trace-names.ts';
import { ReelError } from '../../../model/errors.ts';
import { liveSessions, type RunningSession } from '../../../state/live-sessions.ts';
import type { CommandEnvironment } from '../../context.ts';

/** A recorded session, and whether it still runs. */
export interface KnownSession extends StoredSession {
  readonly live: RunningSession | undefined;
}

/** Where sessions are, and the means to find out which processes run. */
type StateContext = Pick<CommandEnvironment, 'stateFolder' | 'kill'>;

/** All sessions in the state folder and all that run, newest first. */
export async function knownSessions(context: StateContext): Promise<KnownSession[]> {
  const stored = await storedSessions(context.stateFolder);
  // After the files: a session that began meanwhile is not taken for one that was cut short.
  const live = await allRunning(context);
  const known = stored.map((session) => withLive(session, live));
  for (const { id, trace } of live) {
    if (known.some(({ header }) => header.id === id)) continue;
    const elsewhere = await storedSession(trace);
    if (elsewhere !== undefined) known.push(withLive(elsewhere, live));
  }
  return known.sort((a, b) => b.header.startedAtMs - a.header.startedAtMs);
}

/** The one session whose id begins so. */
export async function knownSession(idPrefix: string, context: StateContext): Promise<KnownSession> {
  const live = await allRunning(context);
  const path = await findTrace(context.stateFolder, idPrefix, live);
  const stored = path === undefined ? undefined : await storedSession(path);
  if (stored === undefined) {
    throw new ReelError('session-not-found', `No session has an id that begins with ${idPrefix}`, {
      hint: 'List them with mcpreel sessions.',
    });
  }
  return withLive(stored, live);
}

/** The sessions that run and can be watched, the first that began first. */
export async function runningSessions(context: StateContext): Promise<RunningSession[]> {
  const known = await allRunning(context);
  // A conversation that is recorded on its own has no socket: it is the whole run that is steered.
  return known.filter(({ socket }) => socket !== undefined).sort((a, b) => a.startedAtMs - b.startedAtMs);
}

/** All sessions that run, those of single conversations too. */
export function allRunning({ stateFolder, kill }: StateContext): Promise<RunningSession[]> {
  return liveSessions(stateFolder, kill);
}

function withLive(session: StoredSession, live: readonly RunningSession[]): KnownSession {
  return { ...session, live: live.find(({ id }) => id === session.header.id) };
}
