import type { Entry, MessageEntry } from '../model/entry.ts';
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

/** Yields all texts of a session that may contain a value, in batches. */
export async function* textsOf(session: RecordedSession): AsyncGenerator<readonly string[]> {
  const { header, footer } = session;
  const { label, command, url, metadata, keepsakes } = header;
  yield [
    ...[label, ...command, url, metadata, footer?.reason],
    ...Object.values(keepsakes ?? {}),
    ...Object.values(footer?.keepsakes ?? {}),
  ].filter((text) => text !== undefined);
  for await (const batch of session.batches()) yield batch.flatMap(textsIn);
}

function textsIn(entry: Entry): string[] {
  if (entry.kind === 'other') return [entry.text];
  const kept = Object.values(entry.keepsakes ?? {});
  const parts = entry.kind === 'event' ? [entry.raw] : textsOfMessage(entry);
  return [...parts, ...kept].filter((part) => part !== undefined);
}

function textsOfMessage({ text, original, sentText, batch, http, sse }: MessageEntry): (string | undefined)[] {
  return [text, original, sentText, batch, http, sse];
}

function sumOf(a: RemovalCounts, b: RemovalCounts): RemovalCounts {
  const sum = new Map(a);
  for (const [kind, count] of b) sum.set(kind, (sum.get(kind) ?? 0) + count);
  return sum;
}
