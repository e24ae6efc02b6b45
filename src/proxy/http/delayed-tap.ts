import type { ExchangeOutcome, ExchangeTap, ResponseHead } from './exchange-tap.ts';
import type { IdleQueue } from './idle-queue.ts';

/**
 * Defers the recording of an exchange to the idle queue. Queued work refers only to the tap, so that requests,
 * responses and their sockets can be freed. Keeping those alive would cost more than the recording.
 */
export class DelayedTap {
  readonly #tap: ExchangeTap;
  readonly #idleQueue: IdleQueue;

  constructor(tap: ExchangeTap, idleQueue: IdleQueue) {
    this.#tap = tap;
    this.#idleQueue = idleQueue;
  }

  requestChunk(chunk: Uint8Array, atMs: number): void {
    const tap = this.#tap;
    this.#idleQueue.addLong(() => tap.requestChunk(chunk, atMs), chunk.length);
  }

  requestEnd(atMs: number): void {
    const tap = this.#tap;
    this.#idleQueue.addLong(() => tap.requestEnd(atMs), 0);
  }

  response(head: ResponseHead, atMs: number, isDecoded: boolean | undefined): void {
    const tap = this.#tap;
    this.#idleQueue.add(() => tap.response(head, atMs, isDecoded));
  }

  responseChunk(chunk: Uint8Array, atMs: number): void {
    const tap = this.#tap;
    this.#idleQueue.addLong(() => tap.responseChunk(chunk, atMs), chunk.length);
  }

  responseEnd(atMs: number): void {
    const tap = this.#tap;
    this.#idleQueue.addLong(() => tap.responseEnd(atMs), 0);
  }

  end(outcome: ExchangeOutcome, atMs: number): void {
    const tap = this.#tap;
    this.#idleQueue.add(() => tap.end(outcome, atMs));
  }
}
