import type { Entry } from '../../../model/entry.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { type RemovalCounts, redactedSession } from '../../../redact/redacted-session.ts';
import { removesNothing } from '../../../redact/redaction-rules.ts';
import { createRedactor, type Redactor } from '../../../redact/redactor.ts';
import { usage } from '../../flags/flag-values.ts';
import { compileRedaction, type RedactFlags, redactionFrom } from '../../flags/redact-flags.ts';

interface ImportRedactionFlags extends RedactFlags {
  readonly to?: 'trace' | 'session';
}

/** What to import, and the secrets in it, which are known once it has been read. */
interface ImportedSession {
  readonly session: RecordedSession;
  readonly removals: () => RemovalCounts;
}

/** The normalised trace keeps the words of the transcript, so there is nothing for the flags to remove. */
export function refuseRedactionOfTranscript({ to, ...flags }: ImportRedactionFlags): void {
  const { redact = true, redactKey, redactValue, redactPath } = flags;
  const given = [
    [redact === false, '--no-redact'],
    [typeof redact === 'string', '--redact'],
    [redactKey !== undefined, '--redact-key'],
    [redactValue !== undefined, '--redact-value'],
    [redactPath !== undefined, '--redact-path'],
  ].find(([isGiven]) => isGiven);
  if (to === undefined && given !== undefined) {
    throw usage(`${given[1]} needs --to`, 'Add --to session or --to trace.');
  }
}

/** The session without secrets if it becomes a recording. Otherwise the session as it is, with its secrets counted. */
export async function importRedaction(session: RecordedSession, flags: ImportRedactionFlags): Promise<ImportedSession> {
  const rules = redactionFrom(flags);
  if (removesNothing(rules)) return { session, removals: () => new Map() };
  const options = await compileRedaction(rules);
  if (flags.to === undefined) return searchedSession(session, createRedactor(options));
  const redacted = redactedSession(session, options);
  return { session: redacted, removals: redacted.removals };
}

/** The same session, which is searched for secrets while it is read. */
function searchedSession(session: RecordedSession, redactor: Redactor): ImportedSession {
  redactor.header(session.header);
  async function* batches(): AsyncGenerator<readonly Entry[]> {
    for await (const batch of session.batches()) {
      for (const entry of batch) redactor.entry(entry);
      yield batch;
    }
  }
  return { session: { ...session, batches }, removals: () => redactor.removed };
}
