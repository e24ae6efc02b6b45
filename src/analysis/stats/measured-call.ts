import { utf8Length } from '../../json/utf8-length.ts';
import type { Call, CallStatus } from '../calls/call.ts';

/** The measurements of one call. */
export interface MeasuredCall {
  readonly status: CallStatus;
  /** The time that the other side took, without the time spent waiting for the user. */
  readonly durationMs: number | undefined;
  readonly humanMs: number;
  /** Bytes of the whole messages, retries included. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Measures a call; without times if the session does not record them. */
export function measureCall(call: Call, hasTimes: boolean = true): MeasuredCall {
  const { request, answer, rounds, status, durationMs, humanMs } = call;
  let sentBytes = utf8Length(request.text);
  let receivedBytes = answer === undefined ? 0 : utf8Length(answer.text);
  for (const round of rounds) {
    sentBytes += utf8Length(round.retry.text);
    receivedBytes += utf8Length(round.answer.text);
  }
  // The lifetime of a stream does not measure the speed of the server.
  const isTimed = hasTimes && status !== 'stream' && answer !== undefined && durationMs !== undefined;
  return {
    status,
    durationMs: isTimed ? durationMs : undefined,
    humanMs: hasTimes ? humanMs : 0,
    sentBytes,
    receivedBytes,
  };
}
