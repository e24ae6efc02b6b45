import { FINDING_KINDS, type Finding, type Severity } from '../../../analysis/findings/finding.ts';
import { numberText } from '../../../model/message-number.ts';
import { oneLine } from '../../output.ts';
import { type FindingGroup, GROUP_OF } from './check-groups.ts';

/** What only `check` finds, because it was told to look for it. */
const OWN_KINDS: Readonly<Record<string, string>> = {
  'expected-tool': 'A tool that was to be called was not.',
  'forbidden-tool': 'A tool that was not to be called was.',
  'slow-call': 'A call took longer than it may.',
};

/** Something that speaks against a recording. */
export interface CheckFinding {
  readonly code: string;
  /** What was looked for when it was found: a group, or a flag. */
  readonly group: FindingGroup | 'expect-tool' | 'forbid-tool' | 'max-duration';
  readonly severity: Severity;
  readonly message: string;
  /** The messages that show it. */
  readonly sequences: readonly number[];
  /** The last message before it, where it is no message that shows it. */
  readonly after?: number | undefined;
  readonly spec?: string | undefined;
}

/** A finding of the groups that were asked for, `undefined` for any other. */
export function checkFinding(finding: Finding, groups: ReadonlySet<FindingGroup>): CheckFinding | undefined {
  const group = GROUP_OF[finding.code];
  if (group === undefined || !groups.has(group)) return undefined;
  const { code, severity, message, sequences, at, spec } = finding;
  return { code, group, severity, message, sequences, after: at?.after, spec };
}

/** What a code means in general, in one sentence, and where to read more. */
export function kindOf(code: string): { readonly meaning: string; readonly spec?: string | undefined } {
  const own = OWN_KINDS[code];
  if (own !== undefined) return { meaning: own };
  return Object.hasOwn(FINDING_KINDS, code) ? FINDING_KINDS[code as keyof typeof FINDING_KINDS] : { meaning: code };
}

/** `#004, #011: late-result: …`, `after #002: stray-output: …` */
export function findingLine({ code, message, sequences, after }: CheckFinding): string {
  const place = sequences.length === 0 && after !== undefined ? `after ${placeText([after])}` : placeText(sequences);
  return `${place}${code}: ${oneLine(message)}`;
}

/** More numbers than this would bury the sentence. */
const MAX_NAMED = 8;

function placeText(sequences: readonly number[]): string {
  if (sequences.length === 0) return '';
  const more = sequences.length > MAX_NAMED ? ' …' : '';
  const shown = sequences.slice(0, MAX_NAMED).map(numberText);
  return `${shown.join(', ')}${more}: `;
}
