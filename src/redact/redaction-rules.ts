import type { RedactMode } from './redactor.ts';

export const REDACT_MODES: readonly RedactMode[] = ['off', 'secrets', 'strict'];

/** What the user wants removed. */
export interface RedactionRules {
  readonly mode: RedactMode;
  /** Names of members whose values go, whatever they are. */
  readonly keys: readonly string[];
  /** Patterns in the syntax of RE2. */
  readonly values: readonly string[];
  /** Places in messages, as JSONPaths. */
  readonly paths: readonly string[];
}

export const DEFAULT_REDACTION: RedactionRules = { mode: 'secrets', keys: [], values: [], paths: [] };

/** Whether a rule may turn out to be wrong, so that nothing should be started before it is compiled. */
export function mayBeWrong({ values, paths }: RedactionRules): boolean {
  return values.length > 0 || paths.length > 0;
}

/** Whether there is no rule at all, so that nothing would be removed from anything. */
export function removesNothing({ mode, keys, values, paths }: RedactionRules): boolean {
  return mode === 'off' && keys.length + values.length + paths.length === 0;
}
