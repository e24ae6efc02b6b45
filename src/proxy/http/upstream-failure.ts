import type { JsonText } from '../../model/entry.ts';
import { errorAnswer } from '../../protocol/answer-text.ts';
import { unreachableReason } from '../../transport/unreachable.ts';
import type { RequestHead } from './exchange-tap.ts';
import { headerOf } from './http-headers.ts';

/** Why the target gave no answer, and the status that tells the client so. */
export interface UpstreamFailure {
  readonly status: 502 | 504;
  /** For the person who reads it, and without anything secret. */
  readonly reason: string;
}

/** What an error on the way to the target means. */
export function failureOf(error: NodeJS.ErrnoException, target: URL, hasAnswered = false): UpstreamFailure {
  const what = hasAnswered ? `the answer of ${target.host} broke off` : `no answer from ${target.host}`;
  const reason = `${what}: ${unreachableReason(error)}`;
  return { status: error.code === 'ETIMEDOUT' ? 504 : 502, reason };
}

export interface FailureAnswer {
  readonly contentType: string;
  readonly body: string;
  /** The body, where it is a message. */
  readonly text: JsonText | undefined;
}

/** What the client is told: a JSON-RPC error where it sent or wants JSON, a line of text elsewhere. */
export function failureAnswer(
  { reason }: UpstreamFailure,
  { headers }: RequestHead,
  requestId: JsonText | undefined,
): FailureAnswer {
  const requested = `${headerOf(headers, 'accept') ?? ''},${headerOf(headers, 'content-type') ?? ''}`;
  if (!/json/i.test(requested)) return { contentType: 'text/plain', body: `mcpreel: ${reason}\n`, text: undefined };
  const text = errorAnswer(requestId ?? 'null', reason);
  return { contentType: 'application/json', body: text, text };
}
