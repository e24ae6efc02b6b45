import { openSession } from '../catalog/open-session.ts';
import type { Entry } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';

/** A session, or the path of a file that holds one in any readable format. */
export type GivenSession = string | RecordedSession;

/** The session that was given. */
export async function sessionFrom(given: GivenSession): Promise<RecordedSession> {
  return typeof given === 'string' ? openSession(given) : given;
}

/** The same session, held in memory: whatever it was read from may go. */
export async function inMemory(session: RecordedSession): Promise<RecordedSession> {
  const batches: (readonly Entry[])[] = [];
  for await (const batch of session.batches()) batches.push(batch);
  return {
    ...session,
    async *batches() {
      yield* batches;
    },
  };
}
