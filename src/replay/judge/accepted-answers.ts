import type { Entry, JsonText } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import type { ReplayResult } from './replay-result.ts';

/** The session with changed responses replaced by the new ones. */
export function withAccepted(session: RecordedSession, results: readonly ReplayResult[]): RecordedSession {
  const accepted = acceptedAnswers(results);
  const updated = (entry: Entry): Entry => {
    const text = entry.kind === 'message' ? accepted.get(entry.proxyId) : undefined;
    if (text === undefined || entry.kind !== 'message') return entry;
    const { body: _body, modified: _modified, original: _original, ...rest } = entry;
    return { ...rest, text, envelope: readEnvelope(text) };
  };
  return {
    ...session,
    async *batches() {
      for await (const batch of session.batches()) yield batch.map(updated);
    },
  };
}

/**
 * Whether accepting the new response removes all differences. Differences in server requests and notifications remain.
 */
export function isAccepted({ accepted, differences }: ReplayResult): boolean {
  return accepted !== undefined && !differences.some(({ path }) => /^\$\.(?:method|params)\b/.test(path));
}

/** The new response texts, by the proxy ids of the recorded responses. */
export function acceptedAnswers(results: readonly ReplayResult[]): ReadonlyMap<string, JsonText> {
  const accepted = new Map<string, JsonText>();
  for (const { verdict, step, accepted: text } of results) {
    if (verdict === 'changed' && text !== undefined && step.answer !== undefined) {
      accepted.set(step.answer.entry.proxyId, text);
    }
  }
  return accepted;
}
