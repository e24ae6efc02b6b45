import { Option } from 'commander';
import { nameConversations, requireOneConversation } from '../../../analysis/import/conversation-names.ts';
import type { FormatWriter } from '../../../formats/format.ts';
import type { Entry } from '../../../model/entry.ts';
import { ReelError } from '../../../model/errors.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { wholeNumber } from '../../flags/flag-values.ts';

/** The flags of every command that can be told to look at one client's dialogue only. */
export interface ConversationFlags {
  readonly conversation?: number;
}

export function conversationOption(): Option {
  return new Option('--conversation <n>', 'only this client’s dialogue, of a session with several').argParser((given) =>
    wholeNumber('conversation', given, 0),
  );
}

/**
 * The session without the messages of other conversations, and without what happened beside those. Throws where there
 * is no such conversation.
 */
export async function ofConversation(
  session: RecordedSession,
  conversation: number | undefined,
): Promise<RecordedSession> {
  if (conversation === undefined) return session;
  const others = await conversationsUnless(session, conversation);
  if (others !== undefined) {
    throw new ReelError('session-not-found', `There is no conversation ${conversation}`, {
      hint: whichThereAre(others),
    });
  }
  return {
    ...session,
    async *batches() {
      for await (const batch of session.batches()) yield batch.filter((entry) => isOf(entry, conversation));
    },
  };
}

/** Throws where a session has several conversations and the format holds only one, before anything is written. */
export async function requireFitting(session: RecordedSession, writer: FormatWriter): Promise<void> {
  if (!writer.loses.includes('several conversations')) return;
  requireOneConversation((await conversationsUnless(session, undefined)) ?? []);
}

/** Whether an entry is part of a conversation, or of the session as a whole. An HTTP exchange is always somebody's. */
function isOf(entry: Entry, conversation: number): boolean {
  if (entry.kind === 'other') return true;
  const isWhole = entry.kind === 'event' && entry.event !== 'http.exchange' && entry.conversation === undefined;
  return isWhole || (entry.conversation ?? 0) === conversation;
}

/** The conversations that have messages, in order; `undefined` as soon as the wanted one is seen among them. */
async function conversationsUnless(
  session: RecordedSession,
  requested: number | undefined,
): Promise<readonly number[] | undefined> {
  const seen = new Set<number>();
  for await (const batch of session.batches()) {
    for (const entry of batch) if (entry.kind === 'message') seen.add(entry.conversation ?? 0);
    if (requested !== undefined && seen.has(requested)) return undefined;
  }
  return [...seen].sort((a, b) => a - b);
}

function whichThereAre(conversations: readonly number[]): string {
  return conversations.length === 0 ? 'It has no messages.' : `It has ${nameConversations(conversations)}.`;
}
