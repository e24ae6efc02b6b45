import { compareAnswers, compareNodes, type Difference } from '../../analysis/diff/compare-answers.ts';
import type { IgnoreRules } from '../../analysis/diff/ignore-rules.ts';
import { readTree, type TreeRules } from '../../analysis/diff/value-tree.ts';
import { withoutTimes } from '../../analysis/diff/volatile.ts';
import type { Profile } from '../../analysis/import/profile.ts';
import { decodeString } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { withoutDigits } from '../../model/placeholder.ts';
import type { BoundValues } from '../../recorded/bound-values.ts';
import { withId } from '../../recorded/message-id.ts';
import type { ReusedValues } from '../../recorded/reused-values.ts';
import { DETECTORS } from '../../redact/detect/detectors.ts';
import { placeholderKind } from '../../redact/placeholder.ts';

export interface JudgeOptions {
  readonly profile: Profile;
  readonly ignore: IgnoreRules;
  /** Redacts a message, recorded or live, before it is compared. */
  readonly clean: (text: JsonText) => JsonText;
}

/** A recorded and a live response to the same request, with the tool it called. */
export interface AnswerPair {
  readonly recorded: JsonText;
  readonly recordedId: JsonText;
  readonly live: JsonText;
  readonly tool: string | undefined;
}

/** Compares live messages with recorded ones, ignoring differences that are expected. */
export class ReplayJudge {
  readonly #options: JudgeOptions;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** The comparison rules for the messages of a call. */
  rulesFor(tool: string | undefined): TreeRules {
    const { profile, ignore } = this.#options;
    return { profile, ignored: ignore.pathsFor(tool) };
  }

  /** A fingerprint; messages that count as equal have the same one. */
  identityOf(text: JsonText): number | undefined {
    return readTree(this.clean(text), this.rulesFor(undefined))?.identity;
  }

  /** Whether the user's rules exclude a path from the comparison. */
  ignores(path: string, tool: string | undefined): boolean {
    const ignored = this.#options.ignore.pathsFor(tool);
    return path === '$.method' && ignored?.step(ignored.start, 'method').matches === true;
  }

  /** How a server request or notification differs from the recorded one. */
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

  /** `bound` must already have learned from this pair. */
  differences(pair: AnswerPair, bound: BoundValues, reused: ReusedValues): readonly Difference[] {
    const { recorded, recordedId, live, tool } = pair;
    const named = withId(live, recordedId);
    // Most responses are identical character by character; this check keeps them cheap.
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

/** A time of day to the second, in common notations. */
const TIME_OF_DAY = /(?<![\d:])\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:\s?[AP]M)?(?![\d:])/gi;

/** A path in the system's folder for temporary files, up to the first generated name. */
const TEMPORARY =
  /(?:\/private)?(?:\/(?:var\/)?tmp\/|\/var\/folders\/[^/\s"']+\/[^/\s"']+\/T\/|[A-Z]:\\(?:Users\\[^\\\s"']+\\AppData\\Local|Windows)\\Temp\\)[^/\\\s"']+/gi;

/** Whether two values differ only in UUIDs, times and temporary paths, which are new on each run. */
function isAlike(recorded: JsonText, replayed: JsonText): boolean {
  if (!recorded.startsWith('"') || !replayed.startsWith('"')) return false;
  return likeness(decodeString(recorded)) === likeness(decodeString(replayed));
}

function likeness(text: string): string {
  return withoutTimes(withoutDigits(text))
    .replaceAll(TIME_OF_DAY, '<time>')
    .replaceAll(UUID, '<uuid>')
    .replaceAll(TEMPORARY, '<temporary>');
}

const KNOWN_KINDS: ReadonlySet<string> = new Set(DETECTORS.map(({ kind }) => kind));

/**
 * Whether a recorded placeholder comes from a custom redaction rule. The recording does not contain that rule, so any
 * value matches. A built-in rule would have redacted the new value too.
 */
function hidesAnything(recorded: JsonText): boolean {
  const kind = recorded.startsWith('"') ? placeholderKind(decodeString(recorded)) : undefined;
  return kind !== undefined && !KNOWN_KINDS.has(kind);
}
