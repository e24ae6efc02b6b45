import { openSession } from '../catalog/open-session.ts';
import type { Entry } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';

/**
 * A session, or the path of a file that contains one in any readable format.
 *
 * @example
 * ```ts
 * import { type GivenSession, readSession, startMock } from 'mcpreel';
 *
 * const given: readonly GivenSession[] = ['session.json', await readSession('session.json')];
 * for (const session of given) {
 *   const mock = await startMock(session);
 *   console.log(mock.report().recorded);
 *   await mock.stop();
 * }
 * ```
 */
export type GivenSession = string | RecordedSession;

/** Returns the given session, and opens it first if a path was given. */
export async function sessionFrom(given: GivenSession): Promise<RecordedSession> {
  return typeof given === 'string' ? openSession(given) : given;
}

/** Copies a session into memory, so that the file it was read from may be removed. */
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
