import type { RecordedSession } from '../../../model/session.ts';

/** A session that counts its entries while it is read. */
export interface CountedSession extends RecordedSession {
  /** The number of messages and of all entries in the last read. */
  readonly counts: { messages: number; entries: number };
}

/** The same session with counting. Reading it again resets the counts. */
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
