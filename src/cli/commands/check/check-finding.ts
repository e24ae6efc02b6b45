import { FINDING_KINDS, type Finding, type Severity } from '../../../analysis/findings/finding.ts';
import { numberText } from '../../../model/message-number.ts';
import { oneLine } from '../../../present/visible-text.ts';
import { type FindingGroup, GROUP_OF } from './check-groups.ts';

/** Findings that only `check` reports, because its flags ask for them. */
const OWN_KINDS: Readonly<Record<string, string>> = {
  'expected-tool': 'A tool expected by --expect-tool was not called.',
  'forbidden-tool': 'A tool forbidden by --forbid-tool was called.',
  'slow-call': 'A call took longer than --max-duration.',
};

/** A problem found in a recording. */
export interface CheckFinding {
  readonly code: string;
  /** The group or flag that caused the check. */
  readonly group: FindingGroup | 'expect-tool' | 'forbid-tool' | 'max-duration';
  readonly severity: Severity;
  readonly message: string;
  /** The sequence numbers of the messages involved. */
  readonly sequences: readonly number[];
  /** The last message before the finding, if no message is involved. */
  readonly after?: number | undefined;
  readonly spec?: string | undefined;
}

/** Converts a finding of a selected group; `undefined` for other groups. */
export function checkFinding(finding: Finding, groups: ReadonlySet<FindingGroup>): CheckFinding | undefined {
  const group = GROUP_OF[finding.code];
  if (group === undefined || !groups.has(group)) return undefined;
  const { code, severity, message, sequences, at, spec } = finding;
  return { code, group, severity, message, sequences, after: at?.after, spec };
}

/** The general meaning of a code in one sentence, and a link to the specification. */
export function kindOf(code: string): { readonly meaning: string; readonly spec?: string | undefined } {
  const own = OWN_KINDS[code];
  if (own !== undefined) return { meaning: own };
  return Object.hasOwn(FINDING_KINDS, code) ? FINDING_KINDS[code as keyof typeof FINDING_KINDS] : { meaning: code };
}

/** Formats a finding: `#004, #011: late-result: …` or `after #002: stray-output: …`. */
export function findingLine({ code, message, sequences, after }: CheckFinding): string {
  const place = sequences.length === 0 && after !== undefined ? `after ${placeText([after])}` : placeText(sequences);
  return `${place}${code}: ${oneLine(message)}`;
}

/** More numbers than this would hide the message. */
const MAX_NAMED = 8;

function placeText(sequences: readonly number[]): string {
  if (sequences.length === 0) return '';
  const more = sequences.length > MAX_NAMED ? ' …' : '';
  const shown = sequences.slice(0, MAX_NAMED).map(numberText);
  return `${shown.join(', ')}${more}: `;
}
