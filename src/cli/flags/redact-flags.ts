import { randomBytes } from 'node:crypto';
import type { Option } from 'commander';
import { DEFAULT_REDACTION, type RedactionRules } from '../../redact/redaction-rules.ts';
import type { RedactMode, RedactOptions } from '../../redact/redactor.ts';
import { compileRules } from '../../redact/redactor-for.ts';
import { captureOptions } from './capture-flag-option.ts';
import { REDACT_FLAGS } from './capture-flags.ts';

/** The redaction flags. `redact` is false for `--no-redact`. */
export interface RedactFlags {
  readonly redact?: RedactMode | boolean;
  readonly redactKey?: readonly string[];
  readonly redactValue?: readonly string[];
  readonly redactPath?: readonly string[];
}

/** The redaction options of commands that write what they have read. */
export function redactOptions(): Option[] {
  return captureOptions(REDACT_FLAGS);
}

/** The redaction rules that the flags define. */
export function redactionFrom(flags: RedactFlags): RedactionRules {
  const { redact, redactKey = [], redactValue = [], redactPath = [] } = flags;
  if (redact === false) return { mode: 'off', keys: [], values: [], paths: [] };
  const mode = typeof redact === 'string' ? redact : DEFAULT_REDACTION.mode;
  return { mode, keys: redactKey, values: redactValue, paths: redactPath };
}

/** The compiled rules with a new salt. Throws a usage error if a rule is invalid. */
export async function compileRedaction(rules: RedactionRules): Promise<RedactOptions> {
  return { ...(await compileRules(rules)), salt: randomBytes(16) };
}
