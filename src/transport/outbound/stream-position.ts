import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import { MAX_WAIT_MS } from '../time-limit.ts';

const DEFAULT_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
const USABLE_ID = /^[^\0-\x08\n-\x1f\x7f]+$/;

/** How far an event stream was read, and how soon its server wants to be asked for the rest. */
export class StreamPosition {
  #lastEventId: string | undefined;
  #retryMs: number | undefined;

  /** The event after which the stream can be taken up again. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  note({ id, retryMs }: SseItem): void {
    // An empty id takes back the one before, and one that no header can hold is of no use.
    if (id !== undefined) this.#lastEventId = USABLE_ID.test(id) ? id : undefined;
    if (retryMs !== undefined) this.#retryMs = retryMs;
  }

  /** How long to wait for the next attempt, after so many that failed. */
  delayMs(failures: number): number {
    const firstMs = Math.min(this.#retryMs ?? DEFAULT_RETRY_MS, MAX_WAIT_MS);
    // A server that wants no delay must not be asked without end when it fails.
    const growingMs = failures === 0 ? firstMs : Math.max(firstMs, 1) * 2 ** failures;
    return Math.min(growingMs, Math.max(firstMs, MAX_RETRY_MS));
  }

  /** How long to wait where the server has ended a stream on which nothing came. */
  idleDelayMs(times: number): number {
    return this.delayMs(this.#retryMs === undefined ? times : 0);
  }
}
