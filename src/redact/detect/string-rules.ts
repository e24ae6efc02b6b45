import { isRedacted } from '../../model/placeholder.ts';
import { PLACEHOLDERS, type PlaceholderMaker } from '../placeholder.ts';
import { applyEdits, followedBy, type TextEdit } from '../rewrite/edits.ts';
import type { DetectedSpan } from './detector.ts';
import type { GivenValues } from './given-values.ts';
import { findSecrets, mayHoldSecret } from './secret-scan.ts';
import type { ValuePattern } from './value-pattern.ts';

/** Which rules apply to a string: all, or only those for the values that the user gave. */
export type StringScope = 'all' | 'given';

export interface StringRulesOptions {
  /** Whether to detect secrets by their shape. */
  readonly secrets: boolean;
  readonly given: GivenValues;
  readonly patterns: readonly ValuePattern[];
  readonly placeholder: PlaceholderMaker;
}

/** The maximum number of passes. A redaction may expose another secret, such as a token directly after a word. */
const MAX_ROUNDS = 4;

/** The rules that redact parts of a string. */
export class StringRules {
  readonly placeholder: PlaceholderMaker;
  readonly #secrets: boolean;
  readonly #given: GivenValues;
  readonly #patterns: readonly ValuePattern[];

  constructor({ secrets, given, patterns, placeholder }: StringRulesOptions) {
    this.#secrets = secrets;
    this.#given = given;
    this.#patterns = patterns;
    this.placeholder = placeholder;
  }

  /** Whether secrets that a nearby header or key name identifies are redacted too. */
  get secrets(): boolean {
    return this.#secrets;
  }

  /** Whether there are no given values to find. */
  get noneGiven(): boolean {
    return this.#given.none;
  }

  /** Returns whether a JSON text must be parsed. False only if no string in it would change. */
  mayFindIn(text: string): boolean {
    return (
      this.#patterns.length > 0 || (this.#secrets && mayHoldSecret(text)) || (!this.#given.none && this.#givenIn(text))
    );
  }

  #givenIn(text: string): boolean {
    return this.#given.mayBeIn(text) || text.includes('\\u00');
  }

  /**
   * Returns the edits that redact the secrets in a string. `known` contains findings of rules that consider more than
   * the string. Placeholders stay unchanged, so that redacting twice has the same result as redacting once.
   */
  edit(
    text: string,
    scope: StringScope,
    report: (kind: string) => void,
    known: readonly DetectedSpan[] = [],
  ): readonly TextEdit[] {
    let edits: readonly TextEdit[] = [];
    let current = text;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const found = this.#find(current, scope);
      const findings = outsidePlaceholders(current, merged(round === 0 ? [...found, ...known] : found));
      if (findings.length === 0) break;
      const more = findings.map(({ start, end, kind }) => {
        report(kind);
        return { start, end, text: this.placeholder(kind, current.slice(start, end)) };
      });
      edits = followedBy(edits, more);
      current = applyEdits(text, edits);
    }
    return edits;
  }

  #find(text: string, scope: StringScope): DetectedSpan[] {
    const given = this.#given.find(text);
    if (scope === 'given') return given;
    const secrets = this.#secrets ? findSecrets(text) : [];
    return [...given, ...secrets, ...this.#patterns.flatMap((pattern) => pattern.find(text))];
  }
}

/** Sorts the findings and merges overlapping ones. The longest one determines the kind. */
function merged(findings: readonly DetectedSpan[]): DetectedSpan[] {
  const result: DetectedSpan[] = [];
  const inOrder = findings.toSorted((a, b) => a.start - b.start || a.rank - b.rank);
  let longest: DetectedSpan | undefined;
  for (const finding of inOrder) {
    const open = result.at(-1);
    if (open === undefined || longest === undefined || finding.start >= open.end) {
      result.push(finding);
      longest = finding;
      continue;
    }
    longest = namesBetter(finding, longest) ? finding : longest;
    const { kind, rank } = longest;
    result[result.length - 1] = { start: open.start, end: Math.max(open.end, finding.end), kind, rank };
  }
  return result;
}

function namesBetter(a: DetectedSpan, b: DetectedSpan): boolean {
  const difference = a.end - a.start - (b.end - b.start);
  return difference > 0 || (difference === 0 && a.rank < b.rank);
}

/** Returns the parts of the findings that are not placeholders already. */
function outsidePlaceholders(text: string, findings: readonly DetectedSpan[]): readonly DetectedSpan[] {
  if (findings.length === 0 || !isRedacted(text)) return findings;
  const placeholders = [...text.matchAll(PLACEHOLDERS)];
  const rest: DetectedSpan[] = [];
  let next = 0;
  for (const finding of findings) {
    let { start } = finding;
    for (; next < placeholders.length; next++) {
      const found = placeholders[next];
      if (found === undefined || found.index >= finding.end) break;
      if (found.index > start) rest.push({ ...finding, start, end: found.index });
      start = Math.max(start, found.index + found[0].length);
      // The placeholder may extend into the next finding.
      if (start > finding.end) break;
    }
    if (start < finding.end) rest.push({ ...finding, start });
  }
  return rest;
}
