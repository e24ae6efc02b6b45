import { ReelError } from '../../model/errors.ts';

/** As many as fit on a line. */
const MAX_NAMED = 12;

/** Lists conversations as `0`, `0 and 2` or `0, 1, 2 and 30 more`. */
export function nameConversations(conversations: readonly number[]): string {
  const shown = conversations.slice(0, MAX_NAMED).map(String);
  const more = conversations.length - shown.length;
  const last = more > 0 ? `${more} more` : shown.pop();
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} and ${last}`;
}

/** Throws if there are several conversations and the output can contain only one. */
export function requireOneConversation(conversations: readonly number[]): void {
  if (conversations.length < 2) return;
  throw new ReelError('usage', `The session has several conversations: ${nameConversations(conversations)}`, {
    hint: 'Choose one with --conversation N.',
  });
}
