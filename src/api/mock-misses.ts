import { existsSync } from 'node:fs';
import { openSession } from '../catalog/open-session.ts';
import { headerOf, type MockForwarding, openForwarding, withoutEntries } from '../mock/forwarding.ts';
import { assertAnswers, emptyRecording } from '../mock/new-recording.ts';
import type { OpenMock } from '../mock/open-mock.ts';
import type { RecordedSession } from '../model/session.ts';
import { dialoguesOf, type RecordedDialogue } from '../recorded/recorded-dialogue.ts';
import { assertRewritable, saveRecording } from '../recorded/rewritable-recording.ts';
import type { TargetChoice } from '../transport/outbound/connect-target.ts';
import { assertKnown, usage } from './given-option.ts';
import { type GivenSession, sessionFrom } from './given-session.ts';
import { type TargetOptions, targetFrom } from './target.ts';
import { isCi, startServer, thisProcess } from './this-process.ts';

/**
 * Requests that are not in the recording get an error.
 *
 * @example
 * ```ts
 * import { type ErrorOnMiss, startMock } from 'mcpreel';
 *
 * const misses: ErrorOnMiss = { onMiss: 'error' };
 * const mock = await startMock('session.json', { ...misses, match: 'strict' });
 * await mock.stop();
 * ```
 */
export interface ErrorOnMiss {
  /** Default: `error`. */
  readonly onMiss?: 'error' | undefined;
}

/**
 * Requests that are not in the recording are forwarded to a live server.
 *
 * @example
 * ```ts
 * import { type ForwardOnMiss, startMock } from 'mcpreel';
 *
 * const misses: ForwardOnMiss = { onMiss: 'forward', recordMode: 'new', command: ['node', 'server.js'] };
 * const mock = await startMock('session.json', misses);
 * const { forwarded } = await mock.stop();
 * console.log(forwarded);
 * ```
 */
export type ForwardOnMiss = TargetOptions & {
  /** Also pass the live server, as a `command` or a `url`. */
  readonly onMiss: 'forward';
  /**
   * Which of the live server's responses are added to the recording.
   * - `new`: those that are not in it.
   * - `once`: all of them, if the recording does not exist yet.
   * - `all`: all of them, and the recording is replaced.
   * - `none`: nothing is forwarded.
   *
   * Default: `new`, or `none` if the environment variable `CI` is `true`.
   */
  readonly recordMode?: 'new' | 'once' | 'all' | 'none' | undefined;
};

/** The recording that a mock answers from, and how it handles other requests. */
export interface MockSource {
  readonly label: string;
  readonly dialogues: readonly RecordedDialogue[];
  readonly forwarding: MockForwarding | undefined;
  /** Adds new exchanges to the recording. */
  keep(): Promise<void>;
}

/**
 * Reads the recording to serve, or starts a new one if the file does not exist. `own` returns the mock's own listener.
 */
export async function mockSource(
  given: GivenSession,
  options: ErrorOnMiss | ForwardOnMiss,
  own: () => OpenMock['listener'],
  note: (line: string) => void,
): Promise<MockSource> {
  const { onMiss = 'error' } = options;
  assertKnown('onMiss', onMiss, ['error', 'forward']);
  const target = options.onMiss === 'forward' ? forwardTarget(given, options) : undefined;
  return target === undefined ? recordedSource(given) : liveSource(target, own, note);
}

interface ForwardTarget {
  readonly path: string;
  readonly target: TargetChoice;
  /** Whether the recording is replaced and none of its responses are used. */
  readonly isAll: boolean;
}

/** Returns the live server if requests may be forwarded to it. */
function forwardTarget(given: GivenSession, options: ForwardOnMiss): ForwardTarget | undefined {
  const target = targetFrom(options);
  const mode = options.recordMode ?? (isCi() ? 'none' : 'new');
  assertKnown('recordMode', mode, ['new', 'once', 'all', 'none']);
  if (mode === 'none') return undefined;
  if (typeof given !== 'string')
    throw usage('Cannot record to anything but a file', 'Pass its path, or recordMode: none.');
  return mode === 'once' && existsSync(given) ? undefined : { path: given, target, isAll: mode === 'all' };
}

async function recordedSource(given: GivenSession): Promise<MockSource> {
  const session = await sessionFrom(given);
  const dialogues = await dialoguesOf(session, 'client');
  assertAnswers(dialogues, typeof given === 'string' ? given : 'the session');
  return { label: session.header.label, dialogues, forwarding: undefined, keep: async () => undefined };
}

async function liveSource(
  { path, target, isAll }: ForwardTarget,
  own: () => OpenMock['listener'],
  note: (line: string) => void,
): Promise<MockSource> {
  const session = await begunRecording(path, target);
  const dialogues = isAll ? [] : await dialoguesOf(session, 'client');
  const startTarget = (): ReturnType<typeof startServer> => startServer(target);
  const forwarding = await openForwarding({ target, dialogues, startTarget, own, note, ...thisProcess });
  return {
    label: session.header.label,
    dialogues,
    forwarding,
    async keep() {
      const { recording } = forwarding;
      if (recording.size > 0) await saveRecording(recording.added(isAll ? withoutEntries(session) : session), path);
    },
  };
}

async function begunRecording(path: string, target: TargetChoice): Promise<RecordedSession> {
  if (!existsSync(path)) return emptyRecording(path, headerOf(target, thisProcess));
  const session = await openSession(path);
  await assertRewritable(path, session.format);
  return session;
}
