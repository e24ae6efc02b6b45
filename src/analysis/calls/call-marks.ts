import { ObjectView } from '../../json/object-view.ts';
import type { MessageEntry } from '../../model/entry.ts';
import type { Call, CallMark } from './call.ts';

const MARKS: readonly CallMark[] = ['modified', 'dropped', 'injected'];

/** The marks of a message, in order. */
export function marksOf(message: MessageEntry): CallMark[] {
  return MARKS.filter((mark) => message[mark] === true);
}

/** The name of the server that a capture of several servers gives for a call. */
export function serverOf({ request: { keepsakes } }: Call): string | undefined {
  const record = keepsakes?.transcript === undefined ? undefined : ObjectView.of(keepsakes.transcript);
  return record?.string('server') ?? record?.string('server_label');
}

/** The marks of a call: those of its requests, its responses and its notifications, each once. */
export function marksOfCall({ request, answer, rounds, noticeMarks }: Call): CallMark[] {
  const messages = [request, ...rounds.flatMap((round) => [round.answer, round.retry]), ...(answer ? [answer] : [])];
  return MARKS.filter((mark) => noticeMarks.includes(mark) || messages.some((message) => message[mark] === true));
}
