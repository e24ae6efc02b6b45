import type { RecordedSession } from '../model/session.ts';
import { createRedactor, type RedactOptions, type Redactor } from './redactor.ts';

/** The number of redacted values per kind. */
export type RemovalCounts = ReadonlyMap<string, number>;

/** A session with its secrets redacted. */
export interface RedactedSession extends RecordedSession {
  /** Counts the values redacted from the header, the footer, and the entries of the last read. */
  removals(): RemovalCounts;
}

/**
 * Redacts the secrets of a session. Each read starts with a new redactor, because redacting a line may depend on
 * earlier lines.
 */
export function redactedSession(session: RecordedSession, options: RedactOptions): RedactedSession {
  const edges = createRedactor(options);
  let entries: Redactor | undefined;
  return {
    ...session,
    header: edges.header(session.header),
    footer: session.footer && edges.footer(session.footer),
    async *batches() {
      const redactor = createRedactor(options);
      entries = redactor;
      for await (const batch of session.batches()) yield batch.map((entry) => redactor.entry(entry));
    },
    removals: () => sumOf(edges.removed, entries?.removed ?? new Map()),
  };
}

function sumOf(a: RemovalCounts, b: RemovalCounts): RemovalCounts {
  const sum = new Map(a);
  for (const [kind, count] of b) sum.set(kind, (sum.get(kind) ?? 0) + count);
  return sum;
}
