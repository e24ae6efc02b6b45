import { type KnownSettings, secretsAmong } from '../redact/detect/given-values.ts';
import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import type { Redactor } from '../redact/redactor.ts';
import { redactorFor } from '../redact/redactor-for.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';

/** Creates the redactor of a session. It also removes the secrets that the user configured and that the target inherits. */
export function redactorOf(
  { redaction = DEFAULT_REDACTION }: KeepingOptions,
  settings: Omit<KnownSettings, 'env'>,
  { newId, env }: Pick<SessionDeps, 'newId' | 'env'>,
): Promise<Redactor | undefined> {
  return redactorFor(redaction, { salt: newId() + newId(), exactValues: secretsAmong({ ...settings, env }) });
}
