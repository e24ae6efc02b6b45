import { ObjectView } from '../../json/object-view.ts';
import { inOwnMemory } from '../../json/own-memory.ts';
import type { MessageEntry } from '../../model/entry.ts';

/** The number of remembered events. A client resumes a stream from one of its last events. */
const MAX_EVENTS = 4096;

/** The number of characters of a message that are compared. */
const COMPARED = 200;

/**
 * Recognizes messages that a server sent again, because a client resumed an event stream with `Last-Event-ID`: the same
 * event id with the same message. Servers that number the events of each stream on their own reuse ids, so the id alone
 * does not suffice.
 */
export class Redeliveries {
  readonly #seen = new Map<string, string>();

  /** Takes the next message; returns whether it was seen before. */
  take({ sse, text, conversation = 0, direction }: MessageEntry): boolean {
    if (sse === undefined || direction !== 'server_to_client' || !sse.includes('"id"')) return false;
    const id = ObjectView.of(sse)?.textOf('id');
    // An empty id resets the position of a stream, and names no event.
    if (id === undefined || id === '""' || id === 'null') return false;
    const key = `${conversation} ${id}`;
    const start = text.slice(0, COMPARED);
    if (this.#seen.get(key) === start) return true;
    this.#seen.set(inOwnMemory(key), inOwnMemory(start));
    const [oldest] = this.#seen.size > MAX_EVENTS ? this.#seen.keys() : [];
    if (oldest !== undefined) this.#seen.delete(oldest);
    return false;
  }
}
