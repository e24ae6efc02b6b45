import type { RecordedSession } from '../../../model/session.ts';

/** A session that counts what passes. */
export interface CountedSession extends RecordedSession {
  /** How many messages, and how many entries of any kind, the last reading gave. */
  readonly counts: { messages: number; entries: number };
}

/** The same session, counting. A second reading starts the counts again. */
export function countingEntries(session: RecordedSession): CountedSession {
  const counts = { messages: 0, entries: 0 };
  return {
    ...session,
    counts,
    async *batches() {
      counts.messages = 0;
      counts.entries = 0;
      for await (const batch of session.batches()) {
        for (const entry of batch) if (entry.kind === 'message') counts.messages++;
        counts.entries += batch.length;
        yield batch;
      }
    },
  };
}

/** `a`, `a and b`, `a, b and c` */
export function listed(phrases: readonly string[]): string {
  return phrases.length < 2 ? phrases.join('') : `${phrases.slice(0, -1).join(', ')} and ${phrases.at(-1)}`;
}

/** `1 message`, `2 messages` */
export function countOf(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
