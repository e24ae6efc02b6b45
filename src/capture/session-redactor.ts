import { type KnownSettings, secretsAmong } from '../redact/detect/given-values.ts';
import { DEFAULT_REDACTION } from '../redact/redaction-rules.ts';
import type { Redactor } from '../redact/redactor.ts';
import { redactorFor } from '../redact/redactor-for.ts';
import type { KeepingOptions, SessionDeps } from './capture-options.ts';

/** The redactor of a session, if there is anything to redact, and the secrets that it was made with. */
export interface SessionRedaction {
  readonly redactor: Redactor | undefined;
  readonly salt: string;
  readonly exactValues: readonly string[];
}

/** Creates the redactor of a session. It also removes the secrets that the user configured and that the target inherits. */
export async function redactionOf(
  { redaction = DEFAULT_REDACTION }: KeepingOptions,
  settings: Omit<KnownSettings, 'env'>,
  { newId, env }: Pick<SessionDeps, 'newId' | 'env'>,
): Promise<SessionRedaction> {
  const secrets = { salt: newId() + newId(), exactValues: secretsAmong({ ...settings, env }) };
  return { redactor: await redactorFor(redaction, secrets), ...secrets };
}
