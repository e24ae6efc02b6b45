import { Option } from 'commander';
import { nameConversations, requireOneConversation } from '../../../analysis/import/conversation-names.ts';
import type { FormatWriter } from '../../../formats/format.ts';
import type { Entry } from '../../../model/entry.ts';
import { ReelError } from '../../../model/errors.ts';
import type { RecordedSession } from '../../../model/session.ts';
import { wholeNumber } from '../../flags/flag-values.ts';

/** The flags of commands that can select a single conversation. */
export interface ConversationFlags {
  readonly conversation?: number;
}

export function conversationOption(): Option {
  return new Option('--conversation <n>', 'only this conversation of a session with several').argParser((given) =>
    wholeNumber('conversation', given, 0),
  );
}

/** The session without the messages and events of other conversations. Throws if the conversation does not exist. */
export async function ofConversation(
  session: RecordedSession,
  conversation: number | undefined,
): Promise<RecordedSession> {
  if (conversation === undefined) return session;
  const others = await conversationsUnless(session, conversation);
  if (others !== undefined) {
    throw new ReelError('session-not-found', `The session has no conversation ${conversation}`, {
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

/** Throws if a session has several conversations and the format supports only one, before anything is written. */
export async function requireFitting(session: RecordedSession, writer: FormatWriter): Promise<void> {
  if (!writer.loses.includes('several conversations')) return;
  requireOneConversation((await conversationsUnless(session, undefined)) ?? []);
}

/**
 * Whether an entry belongs to a conversation or to the whole session. An HTTP exchange always belongs to a
 * conversation.
 */
function isOf(entry: Entry, conversation: number): boolean {
  if (entry.kind === 'other') return true;
  const isWhole = entry.kind === 'event' && entry.event !== 'http.exchange' && entry.conversation === undefined;
  return isWhole || (entry.conversation ?? 0) === conversation;
}

/** The conversations with messages, in order; `undefined` as soon as the requested one is among them. */
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
  return conversations.length === 0 ? 'It has no messages.' : `Its conversations: ${nameConversations(conversations)}.`;
}
