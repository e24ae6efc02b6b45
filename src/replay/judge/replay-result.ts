import type { Difference } from '../../analysis/diff/compare-answers.ts';
import { onOneLine } from '../../json/layout.ts';
import { encodeString } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import type { ClientStep } from '../../recorded/recorded-dialogue.ts';

/**
 * What became of a message of the client: `match` that the answer is what it was, `changed` that it is not, `timeout` that
 * there was none in time, `missing` that the connection ended without one, `error` that it could not be sent or was refused,
 * `skipped` that it was not to be sent, `sent` that there is nothing to compare.
 */
export type ReplayVerdict = 'match' | 'changed' | 'missing' | 'error' | 'timeout' | 'skipped' | 'sent';

/** One message of the client, replayed. */
export interface ReplayResult {
  readonly step: ClientStep;
  readonly verdict: ReplayVerdict;
  /** As it went out; absent where it did not. */
  readonly sent: JsonText | undefined;
  readonly response: JsonText | undefined;
  /** Why there is no response, or why it was not sent. */
  readonly error: string | undefined;
  readonly durationMs: number | undefined;
  readonly recorded: JsonText | undefined;
  readonly differences: readonly Difference[];
  /** The response as the recorded server would have put it: with the names that it had given. */
  readonly accepted?: JsonText | undefined;
}

/** How many messages came to what. Neither notifications are counted nor requests without an answer in the recording. */
export interface ReplaySummary {
  /** All of the following together. */
  readonly total: number;
  readonly matched: number;
  readonly changed: number;
  readonly timedOut: number;
  /** The connection ended without an answer, or they could not be sent, or were refused. */
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

/** Whether something is not as it was. */
export function differs({ changed, timedOut, failed }: ReplaySummary): boolean {
  return changed + timedOut + failed > 0;
}

/** What a file of results says of the replay itself. */
export interface ReplayFacts {
  readonly targetCommand: string | undefined;
  readonly targetUrl: string | undefined;
  readonly session: string;
}

/** The results as one JSON document, in pieces. Messages stand in it as they were sent. */
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

/** A side that has nothing at a place has no member either: null could stand there. */
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
