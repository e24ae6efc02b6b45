import type { Finder } from '../finder.ts';
import { named } from '../wording.ts';

/** The maximum number of ended sessions to remember; older ones are forgotten. */
const MAX_ENDED = 1000;

/** Finds requests in HTTP sessions that their client has ended. */
export const httpSessions: Finder = {
  codes: ['session-ended'],
  watch(report) {
    const endedBy = new Map<string, number>();
    return {
      exchange({ number, method, status, posted, place, requestHeader, responseHeader }) {
        const sessionId = requestHeader('Mcp-Session-Id');
        if (sessionId === undefined) {
          // The server may give an id to another session.
          endedBy.delete(responseHeader('Mcp-Session-Id') ?? '');
          return;
        }
        const ended = endedBy.get(sessionId);
        // Exchanges are numbered when they begin: one that began before the session ended is allowed.
        if (ended !== undefined && number > ended && method !== 'DELETE') {
          const evidence = posted.length > 0 ? posted.map(({ sequence }) => sequence) : place;
          report(
            'session-ended',
            `The client sent a ${named(method)} in an HTTP session that it had deleted. Start a new session with initialize.`,
            evidence,
          );
        }
        if (method !== 'DELETE' || status === undefined || status >= 300) return;
        endedBy.set(sessionId, number);
        const [oldest] = endedBy.size > MAX_ENDED ? endedBy.keys() : [];
        if (oldest !== undefined) endedBy.delete(oldest);
      },
    };
  },
};
