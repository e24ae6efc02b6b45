import type { MessageEntry } from '../../model/entry.ts';
import type { Call } from './call.ts';

/** What was done to a message on its way. */
export type MessageMark = 'modified' | 'dropped' | 'injected';

const MARKS: readonly MessageMark[] = ['modified', 'dropped', 'injected'];

/** The marks of a message, in order. */
export function marksOf(message: MessageEntry): MessageMark[] {
  return MARKS.filter((mark) => message[mark] === true);
}

/** The marks of a call: those of its requests and its responses, each once. */
export function marksOfCall({ request, answer, rounds }: Call): MessageMark[] {
  const messages = [request, ...rounds.flatMap((round) => [round.answer, round.retry]), ...(answer ? [answer] : [])];
  return MARKS.filter((mark) => messages.some((message) => message[mark] === true));
}
