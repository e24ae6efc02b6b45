import { ReelError } from '../model/errors.ts';

const MAX_NAMED = 12;

/** What is said to somebody who has to name one of these conversations, and has named none. */
export function severalConversations(conversations: readonly number[]): ReelError {
  const shown = conversations.slice(0, MAX_NAMED).join(', ');
  const more = conversations.length > MAX_NAMED ? ' …' : '';
  return new ReelError('session-live', `The session has several conversations: ${shown}${more}`, {
    hint: 'Name one of them as `conversation`.',
  });
}

/** What is said to somebody who has named a conversation that there is not, or is not any more. */
export function noConversation(conversation: number): ReelError {
  return new ReelError('session-live', `There is no conversation ${conversation}`);
}
