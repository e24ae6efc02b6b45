import type { MessageEntry } from '../model/entry.ts';
import type { RecordedSession } from '../model/session.ts';
import { type AuthorizationDiscovery, authorizationDiscoveryIn } from './authorization-discovery.ts';

/** What has to be known of a whole transcript before its first event can be told. */
export interface ImportSurvey {
  readonly messages: number;
  /** The earliest and the latest time of any message; 0 where there is none. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Whether the messages stand in the order of their times. */
  readonly inOrder: boolean;
  readonly authorization: AuthorizationDiscovery | undefined;
}

export async function surveyImport(session: RecordedSession): Promise<ImportSurvey> {
  let messages = 0;
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  let inOrder = true;
  let resourceMetadataVisible = false;
  let scopeChallengeVisible = false;
  for await (const batch of session.batches()) {
    for (const entry of batch) {
      const seen = authorizationDiscoveryIn(entry);
      resourceMetadataVisible ||= seen?.resourceMetadataVisible === true;
      scopeChallengeVisible ||= seen?.scopeChallengeVisible === true;
      if (entry.kind !== 'message') continue;
      messages++;
      inOrder &&= entry.atMs >= lastMs;
      firstMs = Math.min(firstMs, entry.atMs);
      lastMs = Math.max(lastMs, entry.atMs);
    }
  }
  const visible = resourceMetadataVisible || scopeChallengeVisible;
  return {
    messages,
    firstMs: messages === 0 ? 0 : firstMs,
    lastMs: messages === 0 ? 0 : lastMs,
    inOrder,
    authorization: visible ? { resourceMetadataVisible, scopeChallengeVisible } : undefined,
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
