import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import { MAX_WAIT_MS } from '../time-limit.ts';

const DEFAULT_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const USABLE_ID = /^[^\0-\x08\n-\x1f\x7f]+$/;

/** Tracks the last event id of an event stream, and the delay before the next reconnect. */
export class StreamPosition {
  #lastEventId: string | undefined;
  #retryMs: number | undefined;

  /** The id from which the stream can be resumed. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  note({ id, retryMs }: SseItem): void {
    // An empty id clears the previous one. An id that does not fit into a header is ignored.
    if (id !== undefined) this.#lastEventId = USABLE_ID.test(id) ? id : undefined;
    if (retryMs !== undefined) this.#retryMs = retryMs;
  }

  /** The delay before the next attempt, after this many failures. */
  delayMs(failures: number): number {
    const firstMs = Math.min(this.#retryMs ?? DEFAULT_RETRY_MS, MAX_WAIT_MS);
    // The server may set the delay to 0, which must still grow after failures.
    const growingMs = failures === 0 ? firstMs : Math.max(firstMs, 1) * 2 ** failures;
    return Math.min(growingMs, Math.max(firstMs, MAX_RETRY_MS));
  }

  /** The delay after the server ended a stream without any event. */
  idleDelayMs(times: number): number {
    return this.delayMs(this.#retryMs === undefined ? times : 0);
  }
}
