import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import type { Redactor } from '../redact/redactor.ts';
import { redactorFor } from '../redact/redactor-for.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';

/** What sees everything of a session before it is written. The values that the user gave us are removed wherever they are. */
export function redactorOf(
  { redaction = DEFAULT_REDACTION }: KeepingOptions,
  exactValues: readonly string[],
  { newId }: Pick<SessionDeps, 'newId'>,
): Promise<Redactor | undefined> {
  return redactorFor(redaction, { salt: newId() + newId(), exactValues });
}
