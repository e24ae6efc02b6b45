import { messagePaths } from '../protocol/message-paths.ts';
import { compileValuePatterns } from './detect/value-pattern.ts';
import { type RedactionRules, removesNothing } from './redaction-rules.ts';
import { createRedactor, type RedactOptions, type Redactor } from './redactor.ts';

/** The rules ready for use. One that cannot be used is a usage error. */
export async function compileRules({
  mode,
  keys,
  values,
  paths,
}: RedactionRules): Promise<Omit<RedactOptions, 'salt'>> {
  // Only to find out now whether they can be read.
  messagePaths(paths);
  return { mode, keys, paths, patterns: await compileValuePatterns(values) };
}

/** The redactor of one session; `undefined` if nothing is to be removed. A rule that cannot be used is a usage error. */
export async function redactorFor(
  rules: RedactionRules,
  more: Pick<RedactOptions, 'salt' | 'exactValues' | 'onRemoved'>,
): Promise<Redactor | undefined> {
  return removesNothing(rules) ? undefined : createRedactor({ ...(await compileRules(rules)), ...more });
}
