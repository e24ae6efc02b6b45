// The public API of the mcpreel package.
import { inLibraryWords } from './api/in-library-words.ts';
import { openSession } from './catalog/open-session.ts';
import type { ReadProblem } from './formats/format.ts';
import type { RecordedSession } from './model/session.ts';

export type { Difference } from './analysis/diff/compare-answers.ts';
export type { Profile as CompareProfile } from './analysis/import/profile.ts';
export type { ClientTransport } from './api/client-transport.ts';
export type { GivenSession } from './api/given-session.ts';
export type { ErrorOnMiss, ForwardOnMiss } from './api/mock-misses.ts';
export { type HttpRecording, type LocalRecording, type Recording, recordSession } from './api/record-session.ts';
export type {
  HttpClients,
  HttpClientsAsServer,
  HttpRecordingOptions,
  LocalClients,
  LocalRecordingOptions,
  RecordingOptions,
} from './api/recording-options.ts';
export type { RecordedPlace as Recorded } from './api/recording-place.ts';
export {
  type ReplayedMessage,
  type ReplayOutcome,
  type ReplaySessionOptions,
  replaySession,
} from './api/replay-session.ts';
export { type Mock, type MockOptions, startMock } from './api/start-mock.ts';
export type { CommandTarget, TargetOptions, UrlTarget } from './api/target.ts';
export type { ReadProblem } from './formats/format.ts';
export type { MatchLevel } from './mock/match-keys.ts';
export type { MockMiss } from './mock/misses.ts';
export type { MockReport, UnusedExchange as UnusedRequest } from './mock/mock-report.ts';
export type { ExhaustedPolicy as Exhausted } from './mock/mock-server.ts';
export type {
  Direction,
  Entry,
  Envelope,
  EventEntry,
  JsonText,
  MessageBody,
  MessageEntry,
  MessageKind,
  OtherEntry,
  UnknownFields as Keepsakes,
} from './model/entry.ts';
export { type ErrorCode, type ErrorDetails, ReelError } from './model/errors.ts';
export { entriesOf, type RecordedSession, type SessionFooter, type SessionHeader } from './model/session.ts';
export type { RedactMode } from './redact/redactor.ts';
export type { ReplaySummary, ReplayVerdict as Verdict } from './replay/judge/replay-result.ts';
export type { ReplyPolicy } from './replay/reply-policy.ts';
export type { HttpTransport } from './transport/http/http-listener.ts';

/**
 * Options for reading a session file.
 *
 * @example
 * ```ts
 * import { type ReadSessionOptions, readSession } from 'mcpreel';
 *
 * const options: ReadSessionOptions = {
 *   format: 'json',
 *   onProblem: ({ file, place, what }) => console.error(`${file}: ${place}: ${what}`),
 * };
 * const { header } = await readSession('session.json', options);
 * console.log(header.label);
 * ```
 */
export interface ReadSessionOptions {
  /** The id of the file's format, such as `trace`. Default: `auto`, which detects it from the content. */
  readonly format?: string | undefined;
  /** age identity files for decrypting the session. Default: none. */
  readonly identity?: readonly string[] | undefined;
  /** Called for each part of the file that could not be read, with the file's name. */
  readonly onProblem?: ((problem: ReadProblem & { readonly file: string }) => void) | undefined;
}

/**
 * Opens a recorded session in any readable format.
 *
 * @example
 * ```ts
 * import { entriesOf, readSession } from 'mcpreel';
 *
 * const session = await readSession('session.json');
 * for await (const entry of entriesOf(session)) {
 *   if (entry.kind === 'message') console.log(entry.direction, entry.text);
 * }
 * ```
 */
export function readSession(path: string, options: ReadSessionOptions = {}): Promise<RecordedSession> {
  const { format, identity: identityFiles, onProblem } = options;
  return inLibraryWords(() => openSession(path, { format, identityFiles, onProblem }));
}
