import { randomBytes } from 'node:crypto';
import type { Option } from 'commander';
import { DEFAULT_REDACTION, type RedactionRules } from '../../redact/redaction-rules.ts';
import type { RedactMode, RedactOptions } from '../../redact/redactor.ts';
import { compileRules } from '../../redact/redactor-for.ts';
import { captureOptions } from './capture-flag-option.ts';
import { REDACT_FLAGS } from './capture-flags.ts';

/** What was given for the flags that say what to remove. `redact` is false for `--no-redact`. */
export interface RedactFlags {
  readonly redact?: RedactMode | boolean;
  readonly redactKey?: readonly string[];
  readonly redactValue?: readonly string[];
  readonly redactPath?: readonly string[];
}

/** The flags of every command that writes what it has read. */
export function redactOptions(): Option[] {
  return captureOptions(REDACT_FLAGS);
}

/** What the flags ask for. */
export function redactionFrom(flags: RedactFlags): RedactionRules {
  const { redact, redactKey = [], redactValue = [], redactPath = [] } = flags;
  if (redact === false) return { mode: 'off', keys: [], values: [], paths: [] };
  const mode = typeof redact === 'string' ? redact : DEFAULT_REDACTION.mode;
  return { mode, keys: redactKey, values: redactValue, paths: redactPath };
}

/** The rules ready for use, with a salt of their own. One that cannot be used is a usage error. */
export async function compileRedaction(rules: RedactionRules): Promise<RedactOptions> {
  return { ...(await compileRules(rules)), salt: randomBytes(16) };
}
