import { compareAnswers, compareNodes, type Difference } from '../../analysis/diff/compare-answers.ts';
import type { IgnoreRules } from '../../analysis/diff/ignore-rules.ts';
import { readTree, type TreeRules } from '../../analysis/diff/value-tree.ts';
import type { Profile } from '../../analysis/import/profile.ts';
import type { JsonText } from '../../model/entry.ts';
import type { BoundValues } from '../../recorded/bound-values.ts';
import { withId } from '../../recorded/message-id.ts';
import type { ReusedValues } from '../../recorded/reused-values.ts';
import { hidesAnything, isAlike } from './likeness.ts';

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
