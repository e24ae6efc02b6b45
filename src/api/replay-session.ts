import type { Difference } from '../analysis/diff/compare-answers.ts';
import { IgnoreRules } from '../analysis/diff/ignore-rules.ts';
import { PROFILES, type Profile } from '../analysis/import/profile.ts';
import type { JsonText } from '../model/entry.ts';
import {
  differs,
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

/** How a session is replayed and compared. */
export type ReplaySessionOptions = TargetOptions & {
  /** What counts as a difference; `semantic` if absent. */
  readonly compare?: Profile | undefined;
  /** Places that are not compared, like `$.result.total` and `tool:search $.result.total`; none if absent. */
  readonly ignore?: readonly string[] | undefined;
  /** How long an answer may take, in milliseconds; 10 000 if absent. */
  readonly timeoutMs?: number | undefined;
  /** Whether a handshake precedes the rest, as recorded or made up; `true` if absent. */
  readonly handshake?: boolean | undefined;
  /** 0 for as fast as the server answers, 1 for the pauses of the recording, 2 for half of them; 0 if absent. */
  readonly speed?: number | undefined;
  /** What the server is told that asks something which the recording has no answer to; `decline` if absent. */
  readonly onServerRequest?: ReplyPolicy | undefined;
  /** Whether messages are sent of which a part was redacted; `false` if absent. */
  readonly allowRedacted?: boolean | undefined;
  /** Whether calls of tools are left out that are not marked as read-only; `false` if absent. */
  readonly readOnly?: boolean | undefined;
  /** Ends the replay where it is; what is known by then is its outcome. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every message of the client as soon as it is known what came of it. */
  readonly onResult?: ((result: ReplayedMessage) => void) | undefined;
  /** Told of what the command line would say on stderr, the server's own lines among it. */
  readonly onNote?: ((line: string) => void) | undefined;
};

/** One message of the client, replayed. Messages and values are JSON texts, as they were sent. */
export interface ReplayedMessage {
  readonly verdict: ReplayVerdict;
  /** Its place among the messages of the session, from 0. */
  readonly sequence: number;
  /** Absent where the message has none: it is no JSON-RPC then. */
  readonly method: string | undefined;
  /** The tool, prompt or resource that it names. */
  readonly name: string | undefined;
  /** As it went out; absent where it did not. */
  readonly sent: JsonText | undefined;
  /** What the server answered now. */
  readonly response: JsonText | undefined;
  /** What it had answered in the recording. */
  readonly recorded: JsonText | undefined;
  /** Why there is no response, or why it was not sent. */
  readonly error: string | undefined;
  /** From sending it to its response; absent where there was none to wait for. */
  readonly durationMs: number | undefined;
  /** Every place at which the answer is not the recorded one. A side is `undefined` where it has nothing there. */
  readonly differences: readonly Difference[];
}

/** What became of a replay. */
export interface ReplayOutcome {
  /** Whether everything is as it was. */
  readonly matches: boolean;
  readonly summary: ReplaySummary;
  /** What came of each message of the client, in the order of the session. */
  readonly results: readonly ReplayedMessage[];
}

/**
 * Sends what the client of a session said to a server, and compares the answers. What goes wrong with the server are
 * results; it fails where the server was never reached, and where the session has nothing to replay.
 *
 * ```ts
 * const { matches, results } = await replaySession('session.json', { command: ['node', 'server.js'] });
 * ```
 */
export function replaySession(session: GivenSession, options: ReplaySessionOptions): Promise<ReplayOutcome> {
  return inLibraryWords(async () => {
    const { compare = 'semantic', ignore = [], timeoutMs = 10_000, speed = 0, onResult, onNote } = options;
    const { onServerRequest = 'decline' } = options;
    const target = targetFrom(options);
    assertKnown('compare', compare, PROFILES);
    assertKnown('onServerRequest', onServerRequest, ['decline', 'error']);
    if (!(timeoutMs > 0)) throw usage(`timeoutMs ${timeoutMs} is not a time to wait`, 'Give milliseconds, like 10000.');
    if (!(speed >= 0)) throw usage(`speed ${speed} is not a speed`, 'Give 0, or how many times as fast.');
    // Only to find out now whether they can be read.
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
    return { matches: !differs(summary), summary, results: results.map(reported) };
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
