import type { Difference } from '../../analysis/diff/compare-answers.ts';
import { onOneLine } from '../../json/layout.ts';
import { encodeString } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import type { ClientStep } from '../../recorded/recorded-dialogue.ts';

/**
 * The outcome of one client message. `match`: the response is unchanged. `changed`: it differs. `timeout`: no response
 * arrived in time. `missing`: the connection ended first. `error`: it could not be sent or was rejected. `skipped`: it
 * was not to be sent. `sent`: there is nothing to compare.
 *
 * @example
 * ```ts
 * import { replaySession, type Verdict } from 'mcpreel';
 *
 * const FAILED: readonly Verdict[] = ['changed', 'missing', 'error', 'timeout'];
 *
 * const { results } = await replaySession('session.json', { command: ['node', 'server.js'] });
 * console.log(results.filter(({ verdict }) => FAILED.includes(verdict)).length);
 * ```
 */
export type ReplayVerdict = 'match' | 'changed' | 'missing' | 'error' | 'timeout' | 'skipped' | 'sent';

/** The result of replaying one client message. */
export interface ReplayResult {
  readonly step: ClientStep;
  readonly verdict: ReplayVerdict;
  /** The message as sent; absent if it was not sent. */
  readonly sent: JsonText | undefined;
  readonly response: JsonText | undefined;
  /** Why there is no response, or why the message was not sent. */
  readonly error: string | undefined;
  readonly durationMs: number | undefined;
  readonly recorded: JsonText | undefined;
  readonly differences: readonly Difference[];
  /** The response with the recorded server's ids and generated values in place of the live ones. */
  readonly accepted?: JsonText | undefined;
}

/**
 * The number of messages per outcome. Notifications and requests without a recorded response are not counted.
 *
 * @example
 * ```ts
 * import { replaySession, type ReplaySummary } from 'mcpreel';
 *
 * const inWords = ({ matched, total }: ReplaySummary) => `${matched} of ${total} matched`;
 *
 * const { summary } = await replaySession('session.json', { command: ['node', 'server.js'] });
 * console.log(inWords(summary));
 * ```
 */
export interface ReplaySummary {
  /** The sum of the other counts. */
  readonly total: number;
  readonly matched: number;
  readonly changed: number;
  readonly timedOut: number;
  /** The connection ended without a response, or the message could not be sent or was rejected. */
  readonly failed: number;
  readonly skipped: number;
}

export function summaryOf(results: readonly ReplayResult[]): ReplaySummary {
  const count = (...verdicts: ReplayVerdict[]): number =>
    results.filter(({ step, verdict }) => step.kind !== 'notification' && verdicts.includes(verdict)).length;
  return {
    total: count('match', 'changed', 'missing', 'error', 'timeout', 'skipped'),
    matched: count('match'),
    changed: count('changed'),
    timedOut: count('timeout'),
    failed: count('missing', 'error'),
    skipped: count('skipped'),
  };
}

/** Whether any response was compared with a recorded one, or should have been. */
export function hasCompared({ total, skipped }: ReplaySummary): boolean {
  return total > skipped;
}

/** Whether responses were compared and none differs. */
export function matchesRecording(summary: ReplaySummary): boolean {
  const { changed, timedOut, failed } = summary;
  return hasCompared(summary) && changed + timedOut + failed === 0;
}

/** The metadata of a results file. */
export interface ReplayFacts {
  readonly targetCommand: string | undefined;
  readonly targetUrl: string | undefined;
  readonly session: string;
}

/** The results as one JSON document, in chunks. Messages appear in it exactly as they were sent. */
export function* resultsJson(facts: ReplayFacts, results: readonly ReplayResult[]): Generator<string> {
  const { total, matched, changed, timedOut, failed, skipped } = summaryOf(results);
  const summary = { total, matched, changed, timed_out: timedOut, failed, skipped };
  const { targetCommand = null, targetUrl = null, session } = facts;
  yield `{"target_command":${JSON.stringify(targetCommand)},"target_url":${JSON.stringify(targetUrl)},`;
  yield `"session":${JSON.stringify(session)},"summary":${JSON.stringify(summary)},\n "results":[`;
  for (const [index, result] of results.entries()) yield `${index === 0 ? '' : ','}\n  ${resultText(result)}`;
  yield results.length === 0 ? ']}\n' : '\n ]}\n';
}

function resultText(result: ReplayResult): string {
  const { step, verdict, sent, response, error, durationMs, recorded, differences } = result;
  const { entry, method, id } = step;
  const request = [
    `"id":${encodeString(entry.proxyId)}`,
    `"method":${method === undefined ? 'null' : encodeString(method)}`,
    `"jsonrpc_id":${id ?? 'null'}`,
  ];
  const members = [
    `"original_request":{${request.join(',')}}`,
    `"sent_message":${line(sent)}`,
    `"response":${line(response)}`,
    `"error":${error === undefined ? 'null' : encodeString(error)}`,
    `"duration_ms":${durationMs === undefined ? 'null' : String(Math.round(durationMs * 10) / 10)}`,
    `"recorded_response":${line(recorded)}`,
    `"verdict":"${verdict}"`,
    `"differences":[${differences.map(differenceText).join(',')}]`,
  ];
  return `{${members.join(',')}}`;
}

/** A side without a value at the path is omitted, because `null` could be a value. */
function differenceText({ path, recorded, replayed }: Difference): string {
  const sides = [
    ...(recorded === undefined ? [] : [`"recorded":${line(recorded)}`]),
    ...(replayed === undefined ? [] : [`"replayed":${line(replayed)}`]),
  ];
  return `{${[`"path":${encodeString(path)}`, ...sides].join(',')}}`;
}

function line(text: JsonText | undefined): string {
  return text === undefined ? 'null' : onOneLine(text);
}
