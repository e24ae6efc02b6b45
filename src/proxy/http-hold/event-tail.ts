/**
 * The last three bytes of an event stream, as one number, which show whether the stream is between events. Every stream
 * is tracked this way while nothing is watched, so it must be cheap.
 */
export type EventTail = number;

/** The tail of an empty stream, where an event may begin. */
export const STREAM_START: EventTail = 0x0a0a0a;

const FEED = 0x0a;
const RETURN = 0x0d;

export function tailAfter(tail: EventTail, chunk: Uint8Array): EventTail {
  let after = tail;
  for (let at = Math.max(0, chunk.length - 3); at < chunk.length; at++) {
    after = ((after << 8) | (chunk[at] as number)) & 0xffffff;
  }
  return after;
}

/** Whether the last line has ended. */
export function isAtLineStart(tail: EventTail): boolean {
  const last = tail & 0xff;
  return last === FEED || last === RETURN;
}

/** Whether a following line feed belongs to the last line's end. */
export function isAfterReturn(tail: EventTail): boolean {
  return (tail & 0xff) === RETURN;
}

/** Whether the last event has ended with a blank line. */
export function isAtEventStart(tail: EventTail): boolean {
  if (!isAtLineStart(tail)) return false;
  const isPair = ((tail >> 8) & 0xff) === RETURN && (tail & 0xff) === FEED;
  return isAtLineStart(isPair ? tail >> 16 : tail >> 8);
}
