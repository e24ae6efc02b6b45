import { ReelError } from '../../model/errors.ts';

/** Not more than fit on a line. */
const MAX_NAMED = 12;

/** `0`, `0 and 2`, `0, 1, 2 and 30 more` */
export function nameConversations(conversations: readonly number[]): string {
  const shown = conversations.slice(0, MAX_NAMED).map(String);
  const more = conversations.length - shown.length;
  const last = more > 0 ? `${more} more` : shown.pop();
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} and ${last}`;
}

/** Throws where there are several conversations and only one can be told. */
export function requireOneConversation(conversations: readonly number[]): void {
  if (conversations.length < 2) return;
  throw new ReelError('usage', `The session has several conversations: ${nameConversations(conversations)}`, {
    hint: 'Choose one with --conversation N.',
  });
}
