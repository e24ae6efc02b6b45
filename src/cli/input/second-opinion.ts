import { lintSource } from '@secretlint/core';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { decodeString } from '../../json/scan.ts';
import { forEachToken } from '../../json/tokens.ts';
import { isRedacted } from '../../model/placeholder.ts';
import { type DetectedSpan, RANK } from '../../redact/detect/detector.ts';
import type { ValuePattern } from '../../redact/detect/value-pattern.ts';
import { kindOfName } from '../../redact/placeholder.ts';
import type { RedactOptions } from '../../redact/redactor.ts';

/**
 * Text is passed to secretlint in pieces of this many characters. Each call has a cost, which grows with the number of
 * earlier calls.
 */
const QUESTION_LENGTH = 1 << 20;
/** Shorter strings contain no secret that a pattern could recognize. */
const MIN_STRING = 12;
/** JSON inside strings is searched to this depth. */
const DEEPEST_NESTING = 3;

/** Without the rule that lets comments disable the others, because traffic must not control the search. */
const CONFIG = {
  rules: rules.filter(({ meta }) => !meta.id.includes('filter')).map((rule) => ({ id: rule.meta.id, rule })),
};

/**
 * Adds rules for the secrets that secretlint finds in already redacted texts. In a second pass, each value is removed
 * wherever it occurs.
 */
export async function withSecondOpinion(
  options: RedactOptions,
  redacted: AsyncIterable<readonly string[]>,
): Promise<RedactOptions> {
  const opinion = new SecondOpinion();
  for await (const texts of redacted) await opinion.receive(texts);
  const found = await opinion.conclude();
  return found.size === 0 ? options : { ...options, patterns: [...(options.patterns ?? []), patternFor(found)] };
}

class SecondOpinion {
  readonly #found = new Map<string, string>();
  #strings = new Set<string>();
  #length = 0;

  async receive(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      if (text.length >= MIN_STRING) this.#collect(text, 0);
      if (this.#length >= QUESTION_LENGTH) await this.#ask();
    }
  }

  /** The values found, each with its kind of secret. */
  async conclude(): Promise<ReadonlyMap<string, string>> {
    if (this.#length > 0) await this.#ask();
    return this.#found;
  }

  #collect(text: string, nesting: number): void {
    const isJson = forEachToken(text, (kind, start, end) => {
      if (kind !== '"' || end - start - 2 < MIN_STRING) return;
      const value = decodeString(text.slice(start, end));
      if (nesting < DEEPEST_NESTING && /^\s{0,64}[{[]/.test(value)) this.#collect(value, nesting + 1);
      else this.#add(value);
    });
    if (!isJson) this.#add(text);
  }

  #add(value: string): void {
    if (value.length < MIN_STRING || this.#strings.has(value)) return;
    this.#strings.add(value);
    this.#length += value.length;
  }

  async #ask(): Promise<void> {
    const strings = [...this.#strings];
    this.#strings = new Set();
    this.#length = 0;
    const content = strings.join('\n');
    const source = { filePath: 'strings.txt', ext: '.txt', contentType: 'text', content } as const;
    const { messages } = await lintSource({ source, options: { config: CONFIG, noPhysicFilePath: true } });
    for (const { ruleId, range } of messages) {
      const value = content.slice(...range);
      const isOfOneString = !value.includes('\n') || strings.some((candidate) => candidate.includes(value));
      // A value with a placeholder was found before, and the rest of it is not a secret.
      if (value === '' || isRedacted(value) || !isOfOneString) continue;
      this.#found.set(value, `secretlint-${kindOfName(ruleId.replace(/^.*secretlint-rule-/, ''))}`);
    }
  }
}

/** A pattern that matches exactly these values. */
function patternFor(found: ReadonlyMap<string, string>): ValuePattern {
  const values = [...found.keys()].sort((a, b) => b.length - a.length);
  const expression = new RegExp(
    values.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
    'g',
  );
  return {
    find: (text) =>
      [...text.matchAll(expression)].map(({ 0: value, index }): DetectedSpan => {
        const kind = found.get(value) ?? 'secretlint';
        return { start: index, end: index + value.length, kind, rank: RANK.given };
      }),
  };
}
