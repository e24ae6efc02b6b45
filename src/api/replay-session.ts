import type { Difference } from '../analysis/diff/compare-answers.ts';
import { IgnoreRules } from '../analysis/diff/ignore-rules.ts';
import { PROFILES, type Profile } from '../analysis/import/profile.ts';
import type { JsonText } from '../model/entry.ts';
import {
  matchesRecording,
  type ReplayResult,
  type ReplaySummary,
  type ReplayVerdict,
  summaryOf,
} from '../replay/judge/replay-result.ts';
import { replaySession as replay } from '../replay/replay-session.ts';
import type { ReplyPolicy } from '../replay/reply-policy.ts';
import { MAX_WAIT_MS } from '../transport/time-limit.ts';
import { assertKnown, usage } from './given-option.ts';
import { type GivenSession, sessionFrom } from './given-session.ts';
import { inLibraryWords } from './in-library-words.ts';
import { type TargetOptions, targetFrom } from './target.ts';
import { startServer, thisProcess } from './this-process.ts';

/**
 * Options for replaying a session and comparing the responses.
 *
 * @example
 * ```ts
 * import { replaySession, type ReplaySessionOptions } from 'mcpreel';
 *
 * const options: ReplaySessionOptions = {
 *   command: ['node', 'server.js'],
 *   ignore: ['tool:stock $.result.content[0].text.checkedAt'],
 *   onResult: ({ verdict, method }) => console.log(verdict, method),
 * };
 * const { matches } = await replaySession('session.json', options);
 * console.log(matches);
 * ```
 */
export type ReplaySessionOptions = TargetOptions & {
  /** What counts as a difference. Default: `semantic`. */
  readonly compare?: Profile | undefined;
  /** Paths that are not compared, such as `$.result.total` or `tool:search $.result.total`. Default: none. */
  readonly ignore?: readonly string[] | undefined;
  /** The timeout for a response, in milliseconds. Default: 10000. */
  readonly timeoutMs?: number | undefined;
  /** Whether to send a handshake first, either the recorded or a generated one. Default: `true`. */
  readonly handshake?: boolean | undefined;
  /** Playback speed: 1 = original timing, 2 = twice as fast, 0 = no delays. Default: 0. */
  readonly speed?: number | undefined;
  /** How to answer server requests that are not in the recording. Default: `decline`. */
  readonly onServerRequest?: ReplyPolicy | undefined;
  /** Whether to send messages that contain redacted values. Default: `false`. */
  readonly allowRedacted?: boolean | undefined;
  /** Whether to skip calls of tools that are not marked as read-only. Default: `false`. */
  readonly readOnly?: boolean | undefined;
  /** Ends the replay early. The outcome contains the results up to then. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each client message as soon as its result is known. */
  readonly onResult?: ((result: ReplayedMessage) => void) | undefined;
  /** Called for each line that the command line would print to stderr, including the server's own lines. */
  readonly onNote?: ((line: string) => void) | undefined;
};

/**
 * One replayed client message. Messages and values are JSON texts, exactly as sent.
 *
 * @example
 * ```ts
 * import { type ReplayedMessage, replaySession } from 'mcpreel';
 *
 * const isSlow = ({ durationMs = 0 }: ReplayedMessage) => durationMs > 1000;
 *
 * const { results } = await replaySession('session.json', { command: ['node', 'server.js'] });
 * console.log(results.filter(isSlow).map(({ sequence, name }) => `#${sequence} ${name}`));
 * ```
 */
export interface ReplayedMessage {
  readonly verdict: ReplayVerdict;
  /** The index of the message in the session, from 0. */
  readonly sequence: number;
  /** Absent if the message has no method, which means that it is not JSON-RPC. */
  readonly method: string | undefined;
  /** The tool, prompt or resource that the message names. */
  readonly name: string | undefined;
  /** The message as it was sent. Absent if it was not sent. */
  readonly sent: JsonText | undefined;
  /** The server's response to the replayed message. */
  readonly response: JsonText | undefined;
  /** The recorded response. */
  readonly recorded: JsonText | undefined;
  /** Why there is no response, or why the message was not sent. */
  readonly error: string | undefined;
  /** The time from the request to its response. Absent if no response was expected. */
  readonly durationMs: number | undefined;
  /** Every path where the response differs from the recorded one. A side is `undefined` if it has no value there. */
  readonly differences: readonly Difference[];
}

/**
 * The outcome of a replay.
 *
 * @example
 * ```ts
 * import { type ReplayOutcome, replaySession } from 'mcpreel';
 *
 * const outcome: ReplayOutcome = await replaySession('session.json', { command: ['node', 'server.js'] });
 * console.log(outcome.matches ? 'unchanged' : `${outcome.summary.changed} responses changed`);
 * ```
 */
export interface ReplayOutcome {
  /** Whether nothing differs from the recording. Not if nothing was compared, or the replay was aborted. */
  readonly matches: boolean;
  readonly summary: ReplaySummary;
  /** The results of all client messages, in the order of the session. */
  readonly results: readonly ReplayedMessage[];
}

/**
 * Sends the client messages of a session to a server and compares the responses. Server failures are reported as
 * results. The promise rejects if the server cannot be reached, or if the session has nothing to replay.
 *
 * @example
 * ```ts
 * import { replaySession } from 'mcpreel';
 *
 * const { matches, results } = await replaySession('session.json', { command: ['node', 'server.js'] });
 * for (const { verdict, method, name } of results) console.log(verdict, method, name);
 * console.log(matches ? 'unchanged' : 'changed');
 * ```
 */
export function replaySession(session: GivenSession, options: ReplaySessionOptions): Promise<ReplayOutcome> {
  return inLibraryWords(async () => {
    const { compare = 'semantic', ignore = [], timeoutMs = 10_000, speed = 0, onResult, onNote } = options;
    const { onServerRequest = 'decline' } = options;
    const target = targetFrom(options);
    assertKnown('compare', compare, PROFILES);
    assertKnown('onServerRequest', onServerRequest, ['decline', 'error']);
    if (!(timeoutMs > 0)) throw usage(`timeoutMs ${timeoutMs} is not a timeout`, 'Pass milliseconds, like 10000.');
    if (!(speed >= 0)) throw usage(`speed ${speed} is not a speed`, 'Pass 0 for no delays, or a factor like 2.');
    // Validates the rules early.
    new IgnoreRules(ignore);
    const note = (line: string): void => onNote?.(line);
    const results = await replay(
      await sessionFrom(session),
      {
        target,
        profile: compare,
        ignore,
        timeoutMs: Math.min(timeoutMs, MAX_WAIT_MS),
        handshake: options.handshake ?? true,
        speed,
        onServerRequest,
        allowRedacted: options.allowRedacted ?? false,
        readOnly: options.readOnly ?? false,
      },
      {
        ...thisProcess,
        nowMs: () => performance.timeOrigin + performance.now(),
        startTarget: () => startServer(target),
        note,
        onLine: note,
        onResult: (result) => onResult?.(reported(result)),
        signal: options.signal,
      },
    );
    const summary = summaryOf(results);
    const isAborted = options.signal?.aborted === true;
    return { matches: !isAborted && matchesRecording(summary), summary, results: results.map(reported) };
  });
}

function reported({
  step,
  verdict,
  sent,
  response,
  recorded,
  error,
  durationMs,
  differences,
}: ReplayResult): ReplayedMessage {
  const { entry, method, name } = step;
  return {
    verdict,
    sequence: entry.sequence,
    method,
    name,
    sent,
    response,
    recorded,
    error,
    durationMs,
    differences,
  };
}
