import type { RecordedSession } from './model/session.ts';
import { type OpenOptions, openSession } from './record/open-session.ts';

export type { Direction, Entry, EventEntry, JsonText, Keepsakes, MessageEntry, OtherEntry } from './model/entry.ts';
export { type ErrorCode, ReelError } from './model/errors.ts';
export { entriesOf, type RecordedSession, type SessionFooter, type SessionHeader } from './model/session.ts';

/** How to read a session file. */
export type ReadSessionOptions = Pick<OpenOptions, 'format' | 'onProblem'>;

/**
 * Opens a recorded session in any readable format.
 *
 * ```ts
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'message') console.log(entry.direction, entry.text);
 * }
 * ```
 */
export function readSession(path: string, options: ReadSessionOptions = {}): Promise<RecordedSession> {
  return openSession(path, options);
}
