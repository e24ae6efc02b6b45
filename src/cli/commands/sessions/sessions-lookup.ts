import { setFlagsFromString } from 'node:v8';
import type { StoredSession } from '../../../catalog/stored-session.ts';
import { storedSession, storedSessions } from '../../../catalog/stored-sessions.ts';
import { findTrace, tooShortId } from '../../../catalog/trace-names.ts';
import { ReelError } from '../../../model/errors.ts';
import { liveSessions, type RunningSession } from '../../../state/live-sessions.ts';
import type { CommandEnvironment } from '../../context.ts';
import { completeTraces } from '../shared/complete-traces.ts';

/** A recorded session, with its running process if it has one. */
export interface KnownSession extends StoredSession {
  readonly live?: RunningSession | undefined;
}

/** Where sessions are stored, and how to find out which processes are running. */
type StateContext = Pick<CommandEnvironment, 'stateFolder' | 'pid' | 'kill'>;
type RunningContext = Omit<StateContext, 'pid'>;

/** All sessions in the state folder and all running ones, newest first. */
export async function knownSessions(context: StateContext): Promise<KnownSession[]> {
  keepYoungSpaceSmall();
  await completeTraces(context);
  const stored = await storedSessions(context.stateFolder);
  // Read after the files, so that a session that started in between does not look cut short.
  const live = await allRunning(context);
  // There may be tens of thousands of them.
  const known: KnownSession[] = live.length === 0 ? stored : stored.map((session) => withLive(session, live));
  const ids = new Set(live.length === 0 ? [] : known.map(({ header }) => header.id));
  for (const { id, trace } of live) {
    if (ids.has(id)) continue;
    const elsewhere = await storedSession(trace);
    if (elsewhere !== undefined) known.push(withLive(elsewhere, live));
  }
  return known.sort((a, b) => b.startedAtMs - a.startedAtMs);
}

/** The only session whose id starts with the prefix. */
export async function knownSession(idPrefix: string, context: StateContext): Promise<KnownSession> {
  await completeTraces(context, idPrefix);
  const live = await allRunning(context);
  const path = await findTrace(context.stateFolder, idPrefix, live);
  const stored = path === undefined ? undefined : await storedSession(path);
  if (stored === undefined) {
    const tooShort = tooShortId(idPrefix);
    if (tooShort !== undefined) throw tooShort;
    throw new ReelError('session-not-found', `No session id starts with ${idPrefix}`, {
      hint: 'List sessions: mcpreel sessions',
    });
  }
  return withLive(stored, live);
}

/** The running sessions that can be controlled, oldest first. */
export async function runningSessions(context: RunningContext): Promise<RunningSession[]> {
  const known = await allRunning(context);
  // A conversation with its own trace has no control socket. It is controlled through its run.
  return known.filter(({ socket }) => socket !== undefined).sort((a, b) => a.startedAtMs - b.startedAtMs);
}

/** All running sessions, including those of single conversations. */
export function allRunning({ stateFolder, kill }: RunningContext): Promise<RunningSession[]> {
  return liveSessions(stateFolder, kill);
}

/**
 * Reading tens of thousands of sessions makes V8 enlarge its space for new objects to 32 MB, more than all the sessions
 * take. More frequent collections cost less than a tenth of the time.
 */
function keepYoungSpaceSmall(): void {
  try {
    setFlagsFromString('--semi-space-growth-factor=1');
  } catch {
    // Other runtimes have other collectors.
  }
}

function withLive(session: StoredSession, live: readonly RunningSession[]): KnownSession {
  const { header, startedAtMs, footer, isProbe, entries, files, bytes, modifiedAtMs } = session;
  const running = live.find(({ id }) => id === header.id);
  if (running === undefined) return session;
  return { header, startedAtMs, footer, isProbe, entries, files, bytes, modifiedAtMs, live: running };
}
