import type { MessageEntry } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import { type AuthorizationDiscovery, authorizationDiscoveryIn } from './authorization-discovery.ts';

/** What has to be known of a whole transcript before its first event can be told. */
export interface ImportSurvey {
  /** The earliest time of any message; 0 where there is none. */
  readonly firstMs: number;
  /** Whether the messages stand in the order of their times. */
  readonly inOrder: boolean;
  readonly authorization: AuthorizationDiscovery | undefined;
  /** The clients of a listener that have messages, by their conversations, in order. */
  readonly conversations: readonly number[];
}

export async function surveyImport(session: RecordedSession): Promise<ImportSurvey> {
  // Bare messages without times are in order, of one conversation, and have no HTTP answers beside them.
  if (session.numbersTimes && session.infersDirections) {
    return { firstMs: 0, inOrder: true, authorization: undefined, conversations: [] };
  }
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  let inOrder = true;
  let resourceMetadataVisible = false;
  let scopeChallengeVisible = false;
  const conversations = new Set<number>();
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      const seen = authorizationDiscoveryIn(entry);
      resourceMetadataVisible ||= seen?.resourceMetadataVisible === true;
      scopeChallengeVisible ||= seen?.scopeChallengeVisible === true;
      if (entry.kind !== 'message') continue;
      // Servers that one client talked to are told apart, too, and are one episode.
      if (entry.http !== undefined) conversations.add(entry.conversation ?? 0);
      inOrder &&= entry.atMs >= lastMs;
      firstMs = Math.min(firstMs, entry.atMs);
      lastMs = Math.max(lastMs, entry.atMs);
    }
  }
  const visible = resourceMetadataVisible || scopeChallengeVisible;
  return {
    firstMs: Number.isFinite(firstMs) ? firstMs : 0,
    inOrder,
    authorization: visible ? { resourceMetadataVisible, scopeChallengeVisible } : undefined,
    conversations: [...conversations].sort((a, b) => a - b),
  };
}

/**
 * The messages in the order of their times; those of one time in the order of the file. A transcript that is not in
 * order has to be held in memory for that.
 */
export async function* messagesByTime(
  session: RecordedSession,
  { inOrder }: ImportSurvey,
): AsyncGenerator<readonly MessageEntry[]> {
  const all: MessageEntry[] = [];
  for await (const batch of session.batches()) {
    const messages = batch.filter((entry) => entry.kind === 'message');
    if (inOrder) yield messages;
    else for (const message of messages) all.push(message);
  }
  if (!inOrder) yield all.sort((a, b) => a.atMs - b.atMs);
}
