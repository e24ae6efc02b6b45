import { secretsInEnvironment } from '../redact/detect/given-values.ts';
import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import type { Redactor } from '../redact/redactor.ts';
import { redactorFor } from '../redact/redactor-for.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';

/**
 * Creates the redactor of a session. It also removes every value in `exactValues`, which the user configured, and the
 * values of secret variables that the target inherits.
 */
export function redactorOf(
  { redaction = DEFAULT_REDACTION }: KeepingOptions,
  exactValues: readonly string[],
  { newId, env }: Pick<SessionDeps, 'newId' | 'env'>,
): Promise<Redactor | undefined> {
  const values = [...exactValues, ...secretsInEnvironment(env)];
  return redactorFor(redaction, { salt: newId() + newId(), exactValues: values });
}
