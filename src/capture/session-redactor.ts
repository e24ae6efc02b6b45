import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import type { Redactor } from '../redact/redactor.ts';
import { redactorFor } from '../redact/redactor-for.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';

/** Creates the redactor of a session. It also removes every value in `exactValues`, which the user configured. */
export function redactorOf(
  { redaction = DEFAULT_REDACTION }: KeepingOptions,
  exactValues: readonly string[],
  { newId }: Pick<SessionDeps, 'newId'>,
): Promise<Redactor | undefined> {
  return redactorFor(redaction, { salt: newId() + newId(), exactValues });
}
