import type { Call, CallStatus } from './call.ts';

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

const encoder = new TextEncoder();
const scratch = new Uint8Array(1 << 16);

/**
 * How many bytes a text is in UTF-8. The engine's own encoder is several times as fast as looking at each character of
 * what mostly is a slice of something larger.
 */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), scratch);
    at += read;
    bytes += written;
  }
  return bytes;
}
