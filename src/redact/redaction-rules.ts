import type { RedactMode } from './redactor.ts';

export const REDACT_MODES: readonly RedactMode[] = ['off', 'secrets', 'strict'];

/** The user's redaction options. */
export interface RedactionRules {
  readonly mode: RedactMode;
  /** Names of members whose values are redacted, whatever they are. */
  readonly keys: readonly string[];
  /** Patterns in RE2 syntax. */
  readonly values: readonly string[];
  /** JSONPaths in messages. */
  readonly paths: readonly string[];
}

export const DEFAULT_REDACTION: RedactionRules = { mode: 'secrets', keys: [], values: [], paths: [] };

/** Returns whether a rule may be invalid. If so, compile the rules before starting anything. */
export function mayBeWrong({ values, paths }: RedactionRules): boolean {
  return values.length > 0 || paths.length > 0;
}

/** Returns whether there are no rules, so that nothing is ever redacted. */
export function removesNothing({ mode, keys, values, paths }: RedactionRules): boolean {
  return mode === 'off' && keys.length + values.length + paths.length === 0;
}
