import type { Settlement } from '../../intercept/held-message.ts';
import { answersIn, isBatch } from '../../intercept/settled-frame.ts';
import type { JsonText } from '../../model/entry.ts';
import { errorAnswer } from '../../protocol/answer-text.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import type { RequestHead } from '../http/exchange-tap.ts';
import { headerOf } from '../http/http-headers.ts';
import { eventOf } from './event-frame.ts';

/** The HTTP response that mcpreel sends in place of the target. */
export interface OwnAnswer {
  readonly status: number;
  readonly contentType?: string | undefined;
  readonly body: string | Uint8Array;
  /** The body, if it consists of messages. */
  readonly text: JsonText | undefined;
}

const ACCEPTED: OwnAnswer = { status: 202, body: '', text: undefined };

/**
 * The response to a request that is not forwarded at all: the decided answer, or 202. `undefined` if the client waits
 * for an answer that was dropped.
 */
export function ownAnswerTo(
  head: RequestHead,
  settled: readonly Settlement[],
  answersOnStream: boolean,
): OwnAnswer | undefined {
  if (answersOnStream) return ACCEPTED;
  const answers = answersIn(settled);
  if (answers.length > 0) return answerWith(head, isBatch(settled) ? `[${answers.join(',')}]` : answers.join(''));
  const wantsAnswer = settled.some(({ text }) => readEnvelope(text).kind === 'request');
  return wantsAnswer ? undefined : ACCEPTED;
}

/** Builds a response from these messages: JSON, or an event if the client accepts nothing else. */
export function answerWith({ headers }: RequestHead, text: JsonText): OwnAnswer {
  const accepted = headerOf(headers, 'accept') ?? '';
  const wantsEvents =
    /text\/event-stream/i.test(accepted) && !/application\/json|\*\/\*|application\/\*/i.test(accepted);
  return wantsEvents
    ? { status: 200, contentType: 'text/event-stream', body: eventOf(text), text }
    : { status: 200, contentType: 'application/json', body: text, text };
}

/**
 * The response in place of a body that cannot be judged: to the client's request, or, if the request is known, in place
 * of the target's response.
 */
export function refusalOf(head: RequestHead, why: string, requestId?: JsonText | undefined): OwnAnswer {
  const text = errorAnswer(requestId ?? 'null', `not forwarded, because it cannot be checked: ${why}`);
  return requestId === undefined ? { ...answerWith(head, text), status: 400 } : answerWith(head, text);
}
