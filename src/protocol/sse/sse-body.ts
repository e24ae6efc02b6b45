import { type SseItem, SseStream } from './sse-stream.ts';

/** One event of an event stream. */
export type SseEvent = Pick<SseItem, 'event' | 'id' | 'retryMs'> & { readonly data: string };

/**
 * The events of a whole event stream. What the end of the text cuts off is an event too: a capture may have ended
 * before the stream did. One without data is none.
 */
export function parseSseBody(body: string): SseEvent[] {
  const stream = new SseStream();
  const events: SseEvent[] = [];
  for (const { event, id, retryMs, data } of [...stream.push(body), ...stream.end()]) {
    if (data !== undefined) events.push({ event, id, retryMs, data });
  }
  return events;
}

/** Whether a body begins as an event stream does. */
export function looksLikeSse(body: string): boolean {
  return /^\uFEFF?[\r\n]*(?::|(?:data|event|id|retry)(?::|[\r\n]))/.test(body);
}
