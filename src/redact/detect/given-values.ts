import { type DetectedSpan, RANK } from './detector.ts';
import { SCHEME } from './header-values.ts';
import { shapeOf } from './secret-scan.ts';

/** Shorter values are settings (`1`, `true`, `debug`) and would match within words. */
const MIN_SECRET = 6;

/** Common settings that users pass in the environment and that occur in ordinary text. */
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
  /** A part of the value that has the same spelling in any JSON text. `undefined` if there is no usable part. */
  readonly needle: string | undefined;
}

/**
 * The values that the user passed to the target with `--env` and `--header`. They are secrets regardless of their
 * shape.
 */
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

  /** Returns whether a JSON text may contain one of the values, however it is escaped. */
  mayBeIn(text: string): boolean {
    return this.#values.some(({ needle }) => needle === undefined || text.includes(needle));
  }

  /** Finds the values in a string. */
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
    // A lone surrogate cannot be encoded.
    return value;
  }
}

/**
 * Returns the longest part whose characters no JSON encoder escapes. Encoders that escape everything are detected
 * separately.
 */
function longestPlainPart(value: string): string | undefined {
  const parts = value.match(/[\w.:;,=+*!?@#$%^()[\]{}|~ -]+/g) ?? [];
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return longest.length >= 3 ? longest : undefined;
}
