import type { Entry, JsonText } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import type { ReplayResult } from './replay-result.ts';

/** The session with the new answers in place of those that have changed. */
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

/** Whether nothing of what changed is left once the new answer is in the session: questions and notifications are not. */
export function isAccepted({ accepted, differences }: ReplayResult): boolean {
  return accepted !== undefined && !differences.some(({ path }) => /^\$\.(?:method|params)\b/.test(path));
}

/** The new texts of answers, by the proxy ids of the recorded ones. */
export function acceptedAnswers(results: readonly ReplayResult[]): ReadonlyMap<string, JsonText> {
  const accepted = new Map<string, JsonText>();
  for (const { verdict, step, accepted: text } of results) {
    if (verdict === 'changed' && text !== undefined && step.answer !== undefined) {
      accepted.set(step.answer.entry.proxyId, text);
    }
  }
  return accepted;
}
