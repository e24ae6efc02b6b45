import type { JsonText } from '../../model/entry.ts';
import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import type { TargetLinkEvents } from './target-link.ts';

/**
 * Tells what an event of a target says. Its data goes to `passOn`, with what is recorded of the event, where it should be a
 * message; where that says that it is none, and all else, is noise.
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
  // One that only names itself or a delay has no data.
  if (data === '') return;
  const sse = JSON.stringify({ event, ...(id !== undefined && { id }) });
  if (event !== 'message' || !passOn(data, sse)) events.onLine('noise', data);
}
