import type { ExchangeOutcome, ExchangeTap, ResponseHead } from './exchange-tap.ts';
import type { IdleQueue } from './idle-queue.ts';

/**
 * Shows an exchange to its tap afterwards. What waits refers to the copy alone, so that requests, answers and their sockets
 * are let go as soon as they are done: keeping them costs more than looking.
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
    this.#idleQueue.add(() => tap.requestChunk(chunk, atMs));
  }

  requestEnd(atMs: number): void {
    const tap = this.#tap;
    this.#idleQueue.add(() => tap.requestEnd(atMs));
  }

  response(head: ResponseHead, atMs: number, isDecoded: boolean | undefined): void {
    const tap = this.#tap;
    this.#idleQueue.add(() => tap.response(head, atMs, isDecoded));
  }

  responseChunk(chunk: Uint8Array, atMs: number): void {
    const tap = this.#tap;
    this.#idleQueue.add(() => tap.responseChunk(chunk, atMs));
  }

  responseEnd(atMs: number): void {
    const tap = this.#tap;
    this.#idleQueue.add(() => tap.responseEnd(atMs));
  }

  end(outcome: ExchangeOutcome, atMs: number): void {
    const tap = this.#tap;
    this.#idleQueue.add(() => tap.end(outcome, atMs));
  }
}
