import { countOf } from '../../../present/figures.ts';
import { type JunitCase, type JunitSuite, junitXml } from '../../../present/junit.ts';
import { type SarifLevel, sarifLog } from '../../../present/sarif.ts';
import type { ExpectedTool } from './check-expectations.ts';
import { type CheckFinding, findingLine, kindOf } from './check-finding.ts';

/** The result for one recording. */
export interface CheckedFile {
  readonly file: string;
  readonly atMs: number;
  /** The first findings, in order. */
  readonly findings: readonly CheckFinding[];
  /** The total number of findings, by group. */
  readonly byGroup: ReadonlyMap<CheckFinding['group'], number>;
  /** Why the file could not be read, if that is the case. */
  readonly unreadable?: string | undefined;
  /** Which parts of the file could not be read. The rest was checked. */
  readonly damage?: string | undefined;
}

/** The result of a `check` run. */
export interface CheckResult {
  /** The groups that were checked in each recording, in order. */
  readonly lookedFor: readonly CheckFinding['group'][];
  readonly files: readonly CheckedFile[];
  /** The tools that at least one recording had to call. */
  readonly expected: readonly ExpectedTool[];
}

const CLASS = 'mcpreel.check';

/** A JUnit suite per recording, with a test case per checked group. */
export function checkJunit({ lookedFor, files, expected }: CheckResult): string {
  const suites = files.map((file): JunitSuite => {
    const cases = file.unreadable === undefined ? lookedFor.map((group) => groupCase(group, file)) : [];
    const fault = file.unreadable ?? file.damage;
    return { name: file.file, atMs: file.atMs, cases: fault === undefined ? cases : [unread(fault), ...cases] };
  });
  if (expected.length > 0) {
    suites.push({ name: 'all recordings', atMs: files[0]?.atMs ?? 0, cases: expected.map(expectedCase) });
  }
  return junitXml(suites);
}

function groupCase(group: CheckFinding['group'], { findings, byGroup }: CheckedFile): JunitCase {
  const count = byGroup.get(group) ?? 0;
  if (count === 0) return { name: group, className: CLASS };
  const lines = findings.filter((finding) => finding.group === group).map(findingLine);
  const [first = group] = lines;
  if (lines.length < count) lines.push(`… and ${count - lines.length} more`);
  const message = count === 1 ? first : `${countOf(count, 'finding')}, first ${first}`;
  return { name: group, className: CLASS, failure: { type: group, message, text: lines.join('\n') } };
}

function unread(reason: string): JunitCase {
  return { name: 'readable', className: CLASS, failure: { type: 'unreadable', message: reason, text: reason } };
}

function expectedCase({ tool, missing }: ExpectedTool): JunitCase {
  const name = `expect-tool ${tool}`;
  if (missing === undefined) return { name, className: CLASS };
  const { code, message } = missing;
  return { name, className: CLASS, failure: { type: code, message, text: message } };
}

const LEVELS: Readonly<Record<CheckFinding['severity'], SarifLevel>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/** A SARIF log with a result per finding and a notification per unreadable recording. */
export function checkSarif({ files, expected }: CheckResult, version: string): string {
  const found = [
    ...files.flatMap(({ file, findings }) => findings.map((finding) => ({ finding, file }))),
    ...expected.flatMap(({ missing }) => (missing === undefined ? [] : [{ finding: missing, file: undefined }])),
  ];
  const codes = [...new Set(found.map(({ finding }) => finding.code))];
  const unreadable = files.flatMap(({ file, unreadable: reason, damage }) => {
    if (reason !== undefined) return [`${file}: ${reason}`];
    return damage === undefined ? [] : [damage];
  });
  return sarifLog({
    version,
    rules: codes.map((id) => ({ id, description: kindOf(id).meaning, helpUri: kindOf(id).spec })),
    results: found.map(({ finding: { code, severity, message, sequences }, file }) => ({
      ruleId: code,
      level: LEVELS[severity],
      message,
      file,
      sequences,
    })),
    failures: unreadable,
  });
}
