import { randomBytes } from 'node:crypto';
import { Option } from 'commander';
import { REDACT_MODES, type RedactionRules } from '../redact/redaction-rules.ts';
import type { RedactMode, RedactOptions } from '../redact/redactor.ts';
import { compileRules } from '../redact/redactor-for.ts';
import { gather } from './repeated.ts';

/** What was given for the flags that say what to remove. `redact` is false for `--no-redact`. */
export interface RedactFlags {
  readonly redact?: RedactMode | boolean;
  readonly redactKey?: readonly string[];
  readonly redactValue?: readonly string[];
  readonly redactPath?: readonly string[];
}

/** The flags of every command that writes what it has read. */
export function redactOptions(defaultMode: RedactMode): Option[] {
  return [
    new Option('--redact <mode>', `what to remove, ${defaultMode} if absent`).choices(REDACT_MODES),
    repeated('--redact-key <key>', 'remove the values of members with this name, too (repeat)'),
    repeated('--redact-value <pattern>', 'remove what matches this pattern, in RE2’s syntax (repeat)'),
    repeated('--redact-path <path>', 'remove what stands at this JSONPath of a message (repeat)'),
  ];
}

function repeated(flags: string, help: string): Option {
  return new Option(flags, help).argParser(gather);
}

/** What the flags ask for. */
export function redactionFrom(flags: RedactFlags, defaultMode: RedactMode): RedactionRules {
  const { redact, redactKey = [], redactValue = [], redactPath = [] } = flags;
  if (redact === false) return { mode: 'off', keys: [], values: [], paths: [] };
  const mode = typeof redact === 'string' ? redact : defaultMode;
  return { mode, keys: redactKey, values: redactValue, paths: redactPath };
}

/** The rules ready for use, with a salt of their own. One that cannot be used is a usage error. */
export async function compileRedaction(rules: RedactionRules): Promise<RedactOptions> {
  return { ...(await compileRules(rules)), salt: randomBytes(16) };
}
