import type { RecordedSession } from '../../model/session.ts';
import { type RedactedSession, redactedSession, textsOf } from '../../redact/redacted-session.ts';
import type { RedactOptions } from '../../redact/redactor.ts';
import { compileRedaction, redactionFrom } from '../flags/redact-flags.ts';

/** A session with secrets redacted, including those that only secretlint finds. */
export async function withoutSecrets(session: RecordedSession, options: RedactOptions): Promise<RedactedSession> {
  if (options.mode === 'off') return redactedSession(session, options);
  const { withSecondOpinion } = await import('./second-opinion.ts');
  const firstRound = redactedSession(session, options);
  return redactedSession(session, await withSecondOpinion(options, textsOf(firstRound)));
}

/** The default redaction for everything that is meant to be shared. */
export function usualRedaction(): Promise<RedactOptions> {
  return compileRedaction(redactionFrom({}));
}
