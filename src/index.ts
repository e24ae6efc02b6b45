import { inLibraryWords } from './library/in-library-words.ts';
import type { RecordedSession } from './model/session.ts';
import { type OpenOptions, openSession } from './record/open-session.ts';

export type { Difference } from './analysis/compare-answers.ts';
export type { ClientTransport } from './library/client-transport.ts';
export type { GivenSession } from './library/given-session.ts';
export { type HttpRecording, type LocalRecording, type Recording, recordSession } from './library/record-session.ts';
export type { HttpRecordingOptions, LocalRecordingOptions, RecordingOptions } from './library/recording-options.ts';
export type { Recorded } from './library/recording-place.ts';
export {
  type ReplayedMessage,
  type ReplayOutcome,
  type ReplaySessionOptions,
  replaySession,
} from './library/replay-session.ts';
export { type Mock, type MockOptions, startMock } from './library/start-mock.ts';
export type { CommandTarget, TargetOptions, UrlTarget } from './library/target.ts';
export type { Direction, Entry, EventEntry, JsonText, Keepsakes, MessageEntry, OtherEntry } from './model/entry.ts';
export { type ErrorCode, ReelError } from './model/errors.ts';
export { entriesOf, type RecordedSession, type SessionFooter, type SessionHeader } from './model/session.ts';
export type { MockReport } from './replay/mock-report.ts';
export type { ReplaySummary, Verdict } from './replay/replay-result.ts';

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
  return inLibraryWords(() => openSession(path, options));
}
