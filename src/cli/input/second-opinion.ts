import { lintSource } from '@secretlint/core';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { decodeString } from '../../json/scan.ts';
import { forEachToken } from '../../json/tokens.ts';
import { isRedacted } from '../../model/placeholder.ts';
import { type DetectedSpan, RANK } from '../../redact/detect/detector.ts';
import type { ValuePattern } from '../../redact/detect/value-pattern.ts';
import { kindOfName } from '../../redact/placeholder.ts';
import type { RedactOptions } from '../../redact/redactor.ts';

/** Each question costs, and the more the more were asked before: so many characters are asked about at once. */
const QUESTION_LENGTH = 1 << 20;
/** Shorter strings hold no secret that is known by its look. */
const MIN_STRING = 12;
/** JSON within strings is looked into down to here. */
const DEEPEST_NESTING = 3;

/** Without the rule that lets comments turn the others off: traffic has no say in what is looked for. */
const CONFIG = {
  rules: rules.filter(({ meta }) => !meta.id.includes('filter')).map((rule) => ({ id: rule.meta.id, rule })),
};

/**
 * What secretlint finds in texts that were redacted already, as further rules for a second round: each value is then
 * removed wherever it occurs.
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

  /** The values that were found, each with the kind of secret that it is. */
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
      // What holds a placeholder was found before, and what is left of it is no secret.
      if (value === '' || isRedacted(value) || !isOfOneString) continue;
      this.#found.set(value, `secretlint-${kindOfName(ruleId.replace(/^.*secretlint-rule-/, ''))}`);
    }
  }
}

/** A pattern that finds these values and nothing else. */
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
