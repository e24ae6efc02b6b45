import { messagePaths } from '../protocol/message-paths.ts';
import { compileValuePatterns } from './detect/value-pattern.ts';
import { type RedactionRules, removesNothing } from './redaction-rules.ts';
import { createRedactor, type RedactOptions, type Redactor } from './redactor.ts';

/** Compiles the redaction rules. An invalid rule is a usage error. */
export async function compileRules({
  mode,
  keys,
  values,
  paths,
}: RedactionRules): Promise<Omit<RedactOptions, 'salt'>> {
  // Validates the paths early.
  messagePaths(paths, 'the redaction path');
  return { mode, keys, paths, patterns: await compileValuePatterns(values) };
}

/**
 * Creates the redactor of one session, or returns `undefined` if there is nothing to redact. An invalid rule is a usage
 * error.
 */
export async function redactorFor(
  rules: RedactionRules,
  more: Pick<RedactOptions, 'salt' | 'exactValues' | 'onRemoved'>,
): Promise<Redactor | undefined> {
  return removesNothing(rules) ? undefined : createRedactor({ ...(await compileRules(rules)), ...more });
}
