import { utf8Length } from '../../json/utf8-length.ts';
import type { Call, CallStatus } from '../calls/call.ts';

/** What counts of one call. */
export interface MeasuredCall {
  readonly status: CallStatus;
  /** How long the other side took, without the time in which a person was asked. */
  readonly durationMs: number | undefined;
  readonly humanMs: number;
  /** Of the whole messages, retries and all. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Without times, where a session has none of its own. */
export function measureCall(call: Call, hasTimes: boolean = true): MeasuredCall {
  const { request, answer, rounds, status, durationMs, humanMs } = call;
  let sentBytes = utf8Length(request.text);
  let receivedBytes = answer === undefined ? 0 : utf8Length(answer.text);
  for (const round of rounds) {
    sentBytes += utf8Length(round.retry.text);
    receivedBytes += utf8Length(round.answer.text);
  }
  // How long a stream stays open says nothing about how fast the server is.
  const isTimed = hasTimes && status !== 'stream' && answer !== undefined && durationMs !== undefined;
  return {
    status,
    durationMs: isTimed ? durationMs - humanMs : undefined,
    humanMs: hasTimes ? humanMs : 0,
    sentBytes,
    receivedBytes,
  };
}
