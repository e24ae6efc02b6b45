import { type SseItem, SseStream } from './sse-stream.ts';

/** One event of an event stream. */
export type SseEvent = Pick<SseItem, 'event' | 'id' | 'retryMs'> & { readonly data: string };

/**
 * Parses a complete event stream. An event that the end of the text truncates is included, because a capture may end
 * before the stream does. An event without data is omitted.
 */
export function parseSseBody(body: string): SseEvent[] {
  const stream = new SseStream();
  const events: SseEvent[] = [];
  for (const { event, id, retryMs, data } of [...stream.push(body), ...stream.end()]) {
    if (data !== undefined) events.push({ event, id, retryMs, data });
  }
  return events;
}

/** Whether a body begins like an event stream. */
export function looksLikeSse(body: string): boolean {
  return /^\uFEFF?[\r\n]*(?::|(?:data|event|id|retry)(?::|[\r\n]))/.test(body);
}
