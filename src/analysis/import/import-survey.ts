import type { MessageEntry } from '../../model/entry.ts';
import type { RecordedSession } from '../../model/session.ts';
import { type AuthorizationDiscovery, authorizationDiscoveryIn } from './authorization-discovery.ts';

/** The data about a whole transcript that is needed before the first event is written. */
export interface ImportSurvey {
  /** The earliest time of any message; 0 without messages. */
  readonly firstMs: number;
  /** Whether the messages are in order, which is that of time unless the file's own order counts. */
  readonly inOrder: boolean;
  readonly authorization: AuthorizationDiscovery | undefined;
  /** The conversations that have messages, in order. */
  readonly conversations: readonly number[];
}

export async function surveyImport(session: RecordedSession): Promise<ImportSurvey> {
  // Bare messages without times are in order, belong to one conversation, and come without HTTP responses.
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
      conversations.add(entry.conversation ?? 0);
      inOrder &&= session.hasOrder === true || entry.atMs >= lastMs;
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
 * Yields the messages in order of time, or in that of the file if it counts; messages with the same time stay in file
 * order. A transcript that is not in order has to fit into memory.
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
  if (inOrder) return;
  const timeOf = session.format === 'har' ? timesByPair(all) : (message: MessageEntry) => message.atMs;
  yield all.sort((a, b) => timeOf(a) - timeOf(b));
}

/** In an HTTP archive a request and its response are one entry, so the response follows the request whatever its time. */
function timesByPair(messages: readonly MessageEntry[]): (message: MessageEntry) => number {
  const requests = new Map<string, number>();
  for (const { proxyId, atMs, correlatedId } of messages) if (correlatedId === undefined) requests.set(proxyId, atMs);
  return ({ atMs, correlatedId }) => Math.max(atMs, requests.get(correlatedId ?? '') ?? atMs);
}
