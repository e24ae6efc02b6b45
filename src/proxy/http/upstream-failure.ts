import type { JsonText } from '../../model/entry.ts';
import { errorAnswer } from '../../protocol/answer-text.ts';
import { unreachableReason } from '../../transport/unreachable.ts';
import type { RequestHead } from './exchange-tap.ts';
import { headerOf } from './http-headers.ts';

/** Why the target gave no response, and the HTTP status for the client. */
export interface UpstreamFailure {
  readonly status: 502 | 504;
  /** For the user; contains no secrets. */
  readonly reason: string;
}

/** Turns a connection error into a failure. */
export function failureOf(error: NodeJS.ErrnoException, target: URL, hasAnswered = false): UpstreamFailure {
  const what = hasAnswered ? `the response of ${target.host} was cut off` : `no response from ${target.host}`;
  const reason = `${what}: ${unreachableReason(error)}`;
  return { status: error.code === 'ETIMEDOUT' ? 504 : 502, reason };
}

export interface FailureAnswer {
  readonly contentType: string;
  readonly body: string;
  /** The body, if it is a message. */
  readonly text: JsonText | undefined;
}

/** The response to the client: a JSON-RPC error if it sent or accepts JSON, plain text otherwise. */
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
