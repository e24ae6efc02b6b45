import type { TextSpan } from '../../json/scan.ts';
import { isRedacted } from '../../model/placeholder.ts';
import { PLACEHOLDERS, type PlaceholderMaker } from '../placeholder.ts';
import { followedBy, type TextEdit, TextWithEdits } from '../rewrite/edits.ts';
import { COST, WorkBudget } from '../work-budget.ts';
import { type DetectedSpan, RANK } from './detector.ts';
import type { GivenValues } from './given-values.ts';
import { entropyOf, isUuid, isWordy } from './plausibility.ts';
import { findSecrets } from './secret-scan.ts';
import type { ValuePattern } from './value-pattern.ts';

/**
 * Which rules apply to a string: all, all but the user's patterns, only those for the values that the user gave, or these
 * and the user's patterns.
 */
export type StringScope = 'all' | 'detected' | 'given' | 'named';

export interface StringRulesOptions {
  /** Whether to detect secrets. */
  readonly secrets: boolean;
  /** Whether to also detect what may be one: random text and email addresses. */
  readonly suspicious?: boolean;
  readonly given: GivenValues;
  readonly patterns: readonly ValuePattern[];
  readonly placeholder: PlaceholderMaker;
}

/** The maximum number of passes. A redaction may expose another secret, such as a token directly after a word. */
const MAX_ROUNDS = 4;
/** After more findings than this, the text is not searched again. */
const MAX_SEARCHED_AGAIN = 256;

/** The text around a replacement that is searched again, and its edges, in which nothing counts. */
const AROUND = 4096;
const EDGE = 1024;

const NO_EDITS: readonly never[] = [];
/** Shorter names of members hold no secret. */
const MIN_NAME = 12;

/** The rules that redact parts of a string. */
export class StringRules {
  readonly placeholder: PlaceholderMaker;
  readonly #secrets: boolean;
  readonly #suspicious: boolean;
  readonly #given: GivenValues;
  readonly #patterns: readonly ValuePattern[];

  constructor({ secrets, suspicious = false, given, patterns, placeholder }: StringRulesOptions) {
    this.#secrets = secrets;
    this.#suspicious = suspicious;
    this.#given = given;
    this.#patterns = patterns;
    this.placeholder = placeholder;
  }

  /** Whether secrets that a nearby header or key name identifies are redacted too. */
  get secrets(): boolean {
    return this.#secrets;
  }

  /** Whether what may be a secret is redacted too. */
  get isStrict(): boolean {
    return this.#suspicious;
  }

  /** Whether the user named no values to find. */
  get noneNamed(): boolean {
    return this.#given.none && this.#patterns.length === 0;
  }

  /** Returns whether a JSON text must be parsed. False only if no string in it would change. */
  mayFindIn(text: string): boolean {
    if (this.#patterns.length > 0 || this.#suspicious) return true;
    return this.#secrets ? this.#given.orSecretMayBeIn(text) : this.#given.mayBeIn(text);
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
    budget: WorkBudget = new WorkBudget(),
  ): readonly TextEdit[] {
    budget.spend(known.length * COST.finding);
    // Patterns have matched once: in what is left, they would match what they do not match in the text itself.
    const matches = scope === 'all' || scope === 'named' ? this.#matches(text) : [];
    const found = [...this.#find(text, scope, budget), ...matches, ...known];
    let more = this.#replaced(text, found, report);
    let edits = more;
    // A replacement only matters for the text around it.
    for (let round = 1; round < MAX_ROUNDS && more.length > 0 && more.length <= MAX_SEARCHED_AGAIN; round++) {
      more = this.#editAround(new TextWithEdits(text, edits), scope, placesOf(more), report, budget);
      edits = followedBy(edits, more);
    }
    return edits;
  }

  /**
   * Adds the edits that redact what the user's patterns match in a text to those of its parts. The patterns see the text
   * as it was.
   */
  editBeside(text: string, edits: readonly TextEdit[], report: (kind: string) => void): readonly TextEdit[] {
    const matches = outsideSpans(this.#matches(text), edits);
    if (matches.length === 0) return edits;
    return [...edits, ...this.#replaced(text, matches, report)].sort((a, b) => a.start - b.start);
  }

  /**
   * Returns the edits that redact the secrets in the name of a member, which only their shape or value identifies, and
   * what the user's patterns match, unless the name has to stay.
   */
  editName(name: string, mustStay: boolean, report: (kind: string) => void): readonly TextEdit[] {
    // Nearly all names are short, and nearly no user names values.
    if (name.length < MIN_NAME && this.noneNamed) return NO_EDITS;
    const secrets = this.#secrets && name.length >= MIN_NAME ? findSecrets(name) : [];
    const matches = mustStay ? [] : this.#matches(name);
    const found = [...this.#given.find(name), ...secrets.filter(({ rank }) => rank === RANK.shape), ...matches];
    const findings = outsidePlaceholders(name, merged(found));
    return findings.map(({ start, end, kind }) => {
      report(kind);
      return { start, end, text: this.placeholder(kind, name.slice(start, end)) };
    });
  }

  /** Returns the kind of a number that contains a value that the user gave or that a pattern matches. */
  kindOfNumber(number: string): string | undefined {
    // Zeros mark places in a text.
    if (!/^-?(?:[1-9]|0[.\d]*[1-9])/.test(number)) return undefined;
    return [...this.#given.find(number), ...this.#matches(number)][0]?.kind;
  }

  #matches(text: string): DetectedSpan[] {
    if (this.#patterns.length === 0) return [];
    const masked = isRedacted(text) ? text.replaceAll(PLACEHOLDERS, ({ length }) => MASK.repeat(length)) : text;
    return merged(this.#patterns.flatMap((pattern) => pattern.find(masked)));
  }

  /** Replaces what replacements at these places have exposed. */
  #editAround(
    text: TextWithEdits,
    scope: StringScope,
    places: readonly number[],
    report: (kind: string) => void,
    budget: WorkBudget,
  ): readonly TextEdit[] {
    const edits: TextEdit[] = [];
    for (let i = 0; i < places.length; i++) {
      const start = Math.max(0, (places[i] ?? 0) - AROUND);
      let end = (places[i] ?? 0) + AROUND;
      while (i + 1 < places.length && (places[i + 1] ?? 0) - AROUND <= end) end = (places[++i] ?? 0) + AROUND;
      const part = text.slice(start, end);
      // At the edges of the part, it looks as if a line or a word began or ended there.
      const found = this.#find(part, scope, budget).filter(
        (span) => (start === 0 || span.start >= EDGE) && (end >= text.length || start + span.end <= end - EDGE),
      );
      for (const edit of this.#replaced(part, found, report))
        edits.push({ start: start + edit.start, end: start + edit.end, text: edit.text });
    }
    return edits;
  }

  #replaced(text: string, found: readonly DetectedSpan[], report: (kind: string) => void): readonly TextEdit[] {
    return outsidePlaceholders(text, merged(found)).map(({ start, end, kind }) => {
      report(kind);
      return { start, end, text: this.placeholder(kind, text.slice(start, end)) };
    });
  }

  #find(text: string, scope: StringScope, budget: WorkBudget): DetectedSpan[] {
    const given = this.#given.find(text);
    if (scope === 'given' || scope === 'named') return given;
    const secrets = this.#secrets ? findSecrets(text, budget) : [];
    return this.#suspicious ? [...given, ...secrets, ...findSuspicious(text)] : [...given, ...secrets];
  }
}

/** Stands for the characters of placeholders, which differ in each recording. No pattern of letters or digits matches it. */
const MASK = '\uFFFC';

/** Where replacements begin in the text that they make. */
function placesOf(edits: readonly TextEdit[]): readonly number[] {
  let shift = 0;
  return edits.map(({ start, end, text }) => {
    const place = start + shift;
    shift += text.length - (end - start);
    return place;
  });
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
  return outsideSpans(
    findings,
    placeholders.map((match) => ({ start: match.index, end: match.index + match[0].length })),
  );
}

/** Returns the parts of the findings that are outside these spans. Both are in order and do not overlap. */
function outsideSpans(findings: readonly DetectedSpan[], spans: readonly TextSpan[]): readonly DetectedSpan[] {
  const rest: DetectedSpan[] = [];
  let next = 0;
  for (const finding of findings) {
    let { start } = finding;
    for (let span = spans[next]; span !== undefined && span.start < finding.end; span = spans[++next]) {
      if (span.start > start) rest.push({ ...finding, start, end: span.start });
      start = Math.max(start, span.end);
      // The span may extend into the next finding.
      if (start > finding.end) break;
    }
    if (start < finding.end) rest.push({ ...finding, start });
  }
  return rest;
}

/** Runs of characters that tokens consist of, and email addresses. Each character belongs to one match at most. */
const CANDIDATES =
  /[A-Za-z0-9_+/-]{20}[A-Za-z0-9_+/-]*={0,2}|[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}/g;
const MIN_ENTROPY = 3;
/** Only the beginning of a long run is looked at. */
const MAX_LOOK = 256;

/** Finds what may be a secret though nothing says so: random text of 20 characters or more, and email addresses. */
function findSuspicious(text: string): DetectedSpan[] {
  const findings: DetectedSpan[] = [];
  for (const match of text.matchAll(CANDIDATES)) {
    const [run] = match;
    const isEmail = run.includes('@');
    if (!isEmail && !isRandom(run.slice(0, MAX_LOOK))) continue;
    const kind = isEmail ? 'email' : 'random-text';
    findings.push({ start: match.index, end: match.index + run.length, kind, rank: RANK.pattern });
  }
  return findings;
}

function isRandom(run: string): boolean {
  return /\d/.test(run) && /[A-Za-z]/.test(run) && entropyOf(run) >= MIN_ENTROPY && !isWordy(run) && !isUuid(run);
}
