import { ReelError } from '../model/errors.ts';

const MAX_NAMED = 12;

/** The error for a request that must name one of several conversations and names none. */
export function severalConversations(conversations: readonly number[]): ReelError {
  const shown = conversations.slice(0, MAX_NAMED).join(', ');
  const more = conversations.length > MAX_NAMED ? ' …' : '';
  return new ReelError('session-live', `The session has several conversations: ${shown}${more}`, {
    hint: 'Choose one with `conversation`.',
  });
}

/** The error for a conversation that does not exist or has ended. */
export function noConversation(conversation: number): ReelError {
  return new ReelError('session-live', `The session has no conversation ${conversation}`);
}
