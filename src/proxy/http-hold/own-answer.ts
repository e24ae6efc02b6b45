import type { JudgedFrame } from '../../intercept/held-message.ts';
import { answersIn } from '../../intercept/judged-frame.ts';
import type { JsonText } from '../../model/entry.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import type { RequestHead } from '../http/exchange-tap.ts';
import { headerOf } from '../http/http-headers.ts';
import { eventOf } from './event-frame.ts';

/** What we answer in the target's place. */
export interface OwnAnswer {
  readonly status: number;
  readonly contentType?: string | undefined;
  readonly body: string | Uint8Array;
  /** The body, where it is a message or several. */
  readonly text: JsonText | undefined;
}

const ACCEPTED: OwnAnswer = { status: 202, body: '', text: undefined };

/**
 * What the client is answered if nothing of its request goes on: what was decided to answer, or that the request was
 * taken. Nothing where it waits for an answer that will not come.
 */
export function ownAnswerTo(head: RequestHead, judged: JudgedFrame, answersOnStream: boolean): OwnAnswer | undefined {
  if (answersOnStream) return ACCEPTED;
  const answers = answersIn(judged);
  if (answers.length > 0) return answerWith(head, judged.isBatch ? `[${answers.join(',')}]` : answers.join(''));
  const wantsAnswer = judged.messages.some(({ text }) => readEnvelope(text).kind === 'request');
  return wantsAnswer ? undefined : ACCEPTED;
}

/** These messages as the answer to a request: JSON, or an event where nothing else is accepted. */
export function answerWith({ headers }: RequestHead, text: JsonText): OwnAnswer {
  const accepted = headerOf(headers, 'accept') ?? '';
  const wantsEvents =
    /text\/event-stream/i.test(accepted) && !/application\/json|\*\/\*|application\/\*/i.test(accepted);
  return wantsEvents
    ? { status: 200, contentType: 'text/event-stream', body: eventOf(text), text }
    : { status: 200, contentType: 'application/json', body: text, text };
}
