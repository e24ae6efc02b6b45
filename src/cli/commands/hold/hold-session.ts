import { ReelError } from '../../../model/errors.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { RunningSession } from '../../../state/live-sessions.ts';
import type { CommandEnvironment } from '../../context.ts';
import { allRunning } from '../sessions/sessions-lookup.ts';

/** The running session whose id starts with the prefix, or the only running one. */
export async function runningSession(
  idPrefix: string | undefined,
  context: Pick<CommandEnvironment, 'stateFolder' | 'kill'>,
): Promise<RunningSession> {
  const known = await allRunning(context);
  // A conversation with its own trace has no control socket. It is controlled through its run.
  const steerable = known.filter(({ socket }) => socket !== undefined);
  const candidates = steerable.length > 0 ? steerable : known;
  const requested = idPrefix?.toLowerCase() ?? '';
  const [session, ...others] = candidates.filter(({ id }) => id.toLowerCase().startsWith(requested));
  if (session !== undefined && others.length === 0) return session;
  if (session !== undefined) {
    const which = idPrefix === undefined ? '' : ` with an id that begins with ${idPrefix}`;
    throw new ReelError('session-not-found', `${others.length + 1} sessions run${which}`, {
      hint: `Name one of ${listOf([session, ...others])}.`,
    });
  }
  if (candidates.length === 0) {
    throw new ReelError('session-not-found', 'No session runs', {
      hint: 'Start one with mcpreel -- <server command…>.',
    });
  }
  throw new ReelError('session-not-found', `No session runs with an id that begins with ${idPrefix}`, {
    hint: `Those that run: ${listOf(candidates)}.`,
  });
}

const DIGITS = 8;
const MAX_LISTED = 10;

function listOf(sessions: readonly RunningSession[]): string {
  const named = sessions.slice(0, MAX_LISTED).map(({ id, label }) => `${id.slice(0, DIGITS)} (${oneLine(label)})`);
  return [...named, ...(sessions.length > MAX_LISTED ? ['…'] : [])].join(', ');
}
