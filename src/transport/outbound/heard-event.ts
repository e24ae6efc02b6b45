import type { JsonText } from '../../model/entry.ts';
import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import type { TargetLinkEvents } from './target-link.ts';

/**
 * Handles one server-sent event of a target. Passes the data of a `message` event to `passOn`, with the `sse` value to
 * record. If `passOn` returns false, or the event has another type, the data is reported as noise.
 */
export function receiveEvent(
  { event, id, data = '', tooLong }: SseItem,
  events: Pick<TargetLinkEvents, 'onLine'>,
  passOn: (data: string, sse: JsonText) => boolean,
): void {
  if (tooLong !== undefined) {
    events.onLine('noise', `(a message of ${tooLong} characters, which is too long)`, { size: tooLong });
    return;
  }
  // An event with only an id or a retry delay has no data.
  if (data === '') return;
  const sse = JSON.stringify({ event, ...(id !== undefined && { id }) });
  if (event !== 'message' || !passOn(data, sse)) events.onLine('noise', data);
}
