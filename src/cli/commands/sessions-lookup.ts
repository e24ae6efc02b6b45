import { ReelError } from '../../model/errors.ts';
import { findTrace } from '../../record/catalogue.ts';
import type { StoredSession } from '../../record/stored-session.ts';
import { storedSession, storedSessions } from '../../record/stored-sessions.ts';
import { type LiveSession, liveSessions } from '../../state/live-sessions.ts';
import type { Context } from '../context.ts';

/** A recorded session, and whether it still runs. */
export interface KnownSession extends StoredSession {
  readonly live: LiveSession | undefined;
}

/** All sessions in the state folder and all that run, newest first. */
export async function knownSessions({ stateFolder }: Context): Promise<KnownSession[]> {
  const stored = await storedSessions(stateFolder);
  // After the files: a session that began meanwhile is not taken for one that was cut short.
  const live = await allRunning(stateFolder);
  const known = stored.map((session) => withLive(session, live));
  for (const { id, trace } of live) {
    if (known.some(({ header }) => header.id === id)) continue;
    const elsewhere = await storedSession(trace);
    if (elsewhere !== undefined) known.push(withLive(elsewhere, live));
  }
  return known.sort((a, b) => b.header.startedAtMs - a.header.startedAtMs);
}

/** The one session whose id begins so. */
export async function knownSession(idPrefix: string, { stateFolder }: Context): Promise<KnownSession> {
  const live = await allRunning(stateFolder);
  const path = await findTrace(stateFolder, idPrefix, live);
  const stored = path === undefined ? undefined : await storedSession(path);
  if (stored === undefined) {
    throw new ReelError('session-not-found', `No session has an id that begins with ${idPrefix}`, {
      hint: 'List them with mcpreel sessions.',
    });
  }
  return withLive(stored, live);
}

/** The sessions that run and can be watched, the first that began first. */
export async function runningSessions({ stateFolder }: Pick<Context, 'stateFolder'>): Promise<LiveSession[]> {
  const known = await allRunning(stateFolder);
  // A conversation that is recorded on its own has no socket: it is the whole run that is steered.
  return known.filter(({ socket }) => socket !== undefined).sort((a, b) => a.startedAtMs - b.startedAtMs);
}

/** All sessions that run, those of single conversations too. */
export function allRunning(stateFolder: string): Promise<LiveSession[]> {
  return liveSessions(stateFolder, (pid, signal) => process.kill(pid, signal));
}

function withLive(session: StoredSession, live: readonly LiveSession[]): KnownSession {
  return { ...session, live: live.find(({ id }) => id === session.header.id) };
}
