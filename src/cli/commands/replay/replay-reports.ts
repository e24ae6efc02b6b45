import { type JunitCase, junitXml } from '../../../present/junit.ts';
import { type SarifRule, sarifLog } from '../../../present/sarif.ts';
import type { ReplayResult, ReplayVerdict } from '../../../replay/judge/replay-result.ts';
import { differenceText, nameOf } from './replay-text.ts';

/** The results of a replay, for reports. */
export interface ReplayReport {
  /** The recording as the user named it. */
  readonly file: string;
  readonly atMs: number;
  readonly results: readonly ReplayResult[];
}

const CLASS = 'mcpreel.replay';

/** The description of each verdict that counts as a failure. */
const MEANINGS: Readonly<Partial<Record<ReplayVerdict, string>>> = {
  changed: 'The response differs from the recording.',
  missing: 'The server closed the connection without a response.',
  error: 'The message could not be sent.',
  timeout: 'No response within the timeout.',
};

/** One JUnit suite, with a test case per compared message. */
export function replayJunit({ file, atMs, results }: ReplayReport): string {
  const compared = results.filter(({ verdict }) => verdict !== 'sent' && verdict !== 'skipped');
  return junitXml([{ name: file, atMs, cases: compared.map(caseOf) }]);
}

function caseOf(result: ReplayResult): JunitCase {
  const { step, verdict } = result;
  const name = nameOf(step);
  if (MEANINGS[verdict] === undefined) return { name, className: CLASS };
  const lines = detailsOf(result);
  const message = lines.length > 1 ? `${lines.length} differences, first ${lines[0]}` : (lines[0] ?? verdict);
  return { name, className: CLASS, failure: { type: verdict, message, text: lines.join('\n') } };
}

/** A SARIF log with a result per message that did not match. */
export function replaySarif({ file, results }: ReplayReport, version: string): string {
  const found = results.filter(({ verdict }) => MEANINGS[verdict] !== undefined);
  const verdicts = [...new Set(found.map(({ verdict }) => verdict))];
  return sarifLog({
    version,
    rules: verdicts.map((verdict): SarifRule => ({ id: ruleOf(verdict), description: MEANINGS[verdict] ?? '' })),
    results: found.map((result) => ({
      ruleId: ruleOf(result.verdict),
      level: 'error',
      message: `${nameOf(result.step)}: ${detailsOf(result).join('; ')}`,
      file,
      sequences: [result.step.entry.sequence],
    })),
    failures: [],
  });
}

function ruleOf(verdict: ReplayVerdict): string {
  return `replay-${verdict}`;
}

function detailsOf({ error, differences, verdict }: ReplayResult): string[] {
  if (differences.length > 0) return differences.map(differenceText);
  return [error ?? MEANINGS[verdict] ?? verdict];
}
