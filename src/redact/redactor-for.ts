import type { RedactionRules } from './redaction-rules.ts';
import { createRedactor, type RedactOptions, type Redactor } from './redactor.ts';
import { compileValuePatterns } from './value-pattern.ts';

/** The redactor of one session; `undefined` if nothing is to be removed. A rule that cannot be used is a usage error. */
export async function redactorFor(
  { mode, keys, values, paths }: RedactionRules,
  more: Pick<RedactOptions, 'salt' | 'exactValues' | 'onRemoved'>,
): Promise<Redactor | undefined> {
  if (mode === 'off' && keys.length + values.length + paths.length === 0) return undefined;
  return createRedactor({ mode, keys, paths, patterns: await compileValuePatterns(values), ...more });
}
