import { type DetectedSpan, RANK } from './detector.ts';
import { SCHEME } from './header-values.ts';
import { shapeOf } from './secret-scan.ts';

/** Shorter values are settings (`1`, `true`, `debug`), and would be found in the middle of words. */
const MIN_SECRET = 6;

/** Settings that people pass in the environment and that texts are full of. */
const ORDINARY_WORDS = new Set([
  'production',
  'development',
  'localhost',
  'default',
  'enabled',
  'disabled',
  'verbose',
  'warning',
]);

interface GivenValue {
  readonly value: string;
  readonly kind: string;
  /** A part of it that looks the same in any JSON text; `undefined` where it has none of use. */
  readonly needle: string | undefined;
}

/** The values that the user passed to the target with `--env` and `--header`: they are secrets whatever they look like. */
export class GivenValues {
  readonly #values: readonly GivenValue[];

  constructor(values: readonly string[]) {
    const credentials = values.map((value) => value.trim().replace(SCHEME, ''));
    const secrets = credentials.filter((value) => value.length >= MIN_SECRET && !ORDINARY_WORDS.has(value));
    const spellings = new Set(secrets.flatMap((value) => [value, percentEncoded(value)]));
    this.#values = [...spellings].map((value) => ({
      value,
      kind: shapeOf(value) ?? 'given-value',
      needle: longestPlainPart(value),
    }));
  }

  get none(): boolean {
    return this.#values.length === 0;
  }

  /** Whether a JSON text may hold one of them, whatever its escapes. */
  mayBeIn(text: string): boolean {
    return this.#values.some(({ needle }) => needle === undefined || text.includes(needle));
  }

  /** Where they stand in a string. */
  find(text: string): DetectedSpan[] {
    const findings: DetectedSpan[] = [];
    for (const { value, kind } of this.#values) {
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
        findings.push({ start: at, end: at + value.length, kind, rank: RANK.given });
      }
    }
    return findings;
  }
}

function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // A lone surrogate has no encoding.
    return value;
  }
}

/** Characters that no encoder of JSON escapes, short of escaping everything (which is noticed by itself). */
function longestPlainPart(value: string): string | undefined {
  const parts = value.match(/[\w.:;,=+*!?@#$%^()[\]{}|~ -]+/g) ?? [];
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return longest.length >= 3 ? longest : undefined;
}
