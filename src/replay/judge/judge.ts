import { compareAnswers, compareNodes, type Difference } from '../../analysis/diff/compare-answers.ts';
import type { IgnoreRules } from '../../analysis/diff/ignore-rules.ts';
import { readTree, type TreeRules } from '../../analysis/diff/value-tree.ts';
import { withoutSalt, withoutTimes } from '../../analysis/diff/volatile.ts';
import type { Profile } from '../../analysis/import/profile.ts';
import { decodeString } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import type { BoundValues } from '../../recorded/bound-values.ts';
import { withId } from '../../recorded/message-id.ts';
import type { ReusedValues } from '../../recorded/reused-values.ts';
import { DETECTORS } from '../../redact/detect/detectors.ts';
import { placeholderKind } from '../../redact/placeholder.ts';

export interface JudgeOptions {
  readonly profile: Profile;
  readonly ignore: IgnoreRules;
  /** The message without what must not be seen, on either side. */
  readonly clean: (text: JsonText) => JsonText;
}

/** Two answers to one request, and what it was about. */
export interface AnswerPair {
  readonly recorded: JsonText;
  readonly recordedId: JsonText;
  readonly live: JsonText;
  readonly tool: string | undefined;
}

/** Decides in what an answer differs from the one that was recorded. */
export class ReplayJudge {
  readonly #options: JudgeOptions;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** What counts in the messages of a call. */
  rulesFor(tool: string | undefined): TreeRules {
    const { profile, ignore } = this.#options;
    return { profile, ignored: ignore.pathsFor(tool) };
  }

  /** The same number for messages that count as equal. */
  identityOf(text: JsonText): number | undefined {
    return readTree(this.clean(text), this.rulesFor(undefined))?.identity;
  }

  /** Whether a member of the messages of a call is not to be compared at all. */
  ignores(path: string, tool: string | undefined): boolean {
    const ignored = this.#options.ignore.pathsFor(tool);
    return path === '$.method' && ignored?.step(ignored.start, 'method').matches === true;
  }

  /** How a question or a notification of the server differs from the one that was recorded. */
  questionDifferences(recorded: JsonText, live: JsonText, tool?: string): readonly Difference[] {
    const rules = this.rulesFor(tool);
    const [a, b] = [readTree(this.clean(recorded), rules), readTree(this.clean(live), rules)];
    if (a === undefined || b === undefined) return [];
    const found = compareNodes(a, b, '$', rules);
    return rules.profile === 'strict' ? found : found.filter((difference) => !isExpected(difference));
  }

  clean(text: JsonText): JsonText {
    return this.#options.clean(text);
  }

  /** `bound` has learned from this pair already. */
  differences(pair: AnswerPair, bound: BoundValues, reused: ReusedValues): readonly Difference[] {
    const { recorded, recordedId, live, tool } = pair;
    const named = withId(live, recordedId);
    // Most answers are what they were, character by character, and this is all that they cost.
    if (named === recorded) return [];
    const rules = this.rulesFor(tool);
    const found = compareAnswers(this.clean(recorded), this.clean(named), rules);
    if (found.length === 0 || rules.profile === 'strict') return found;
    return found.filter((difference) => !isExpected(difference) && !reused.explains(difference, bound));
  }
}

function isExpected({ recorded, replayed }: Difference): boolean {
  if (recorded === undefined || replayed === undefined) return false;
  return isAlike(recorded, replayed) || hidesAnything(recorded);
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** A time of day to the second, as people write it. */
const TIME_OF_DAY = /(?<![\d:])\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:\s?[AP]M)?(?![\d:])/gi;

/** What is below the folders that systems keep for temporary files, up to the first name that says what it is. */
const TEMPORARY =
  /(?:\/private)?(?:\/(?:var\/)?tmp\/|\/var\/folders\/[^/\s"']+\/[^/\s"']+\/T\/|[A-Z]:\\(?:Users\\[^\\\s"']+\\AppData\\Local|Windows)\\Temp\\)[^/\\\s"']+/gi;

/** Whether two values are of a kind that is made up anew each time: the same but for UUIDs, times and temporary paths. */
function isAlike(recorded: JsonText, replayed: JsonText): boolean {
  if (!recorded.startsWith('"') || !replayed.startsWith('"')) return false;
  return likeness(decodeString(recorded)) === likeness(decodeString(replayed));
}

function likeness(text: string): string {
  return withoutTimes(withoutSalt(text))
    .replaceAll(TIME_OF_DAY, '<time>')
    .replaceAll(UUID, '<uuid>')
    .replaceAll(TEMPORARY, '<temporary>');
}

const KNOWN_KINDS: ReadonlySet<string> = new Set(DETECTORS.map(({ kind }) => kind));

/**
 * Whether a recorded placeholder hides what a rule of the user's removed, which a recording does not tell: it stands for
 * any value. One of our own rules would have removed the new value too.
 */
function hidesAnything(recorded: JsonText): boolean {
  const kind = recorded.startsWith('"') ? placeholderKind(decodeString(recorded)) : undefined;
  return kind !== undefined && !KNOWN_KINDS.has(kind);
}
