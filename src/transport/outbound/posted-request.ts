import type { OutboundMessage, OutboundRequest } from './outbound.ts';
import type { RunningExchange } from './running-exchange.ts';
import { StreamPosition } from './stream-position.ts';

/** A POST to the target, tracked until each of its requests is answered. */
export class PostedRequest {
  readonly outbound: OutboundMessage;
  /** How far its response stream was read. */
  readonly position: StreamPosition = new StreamPosition();
  /** Resolves when no request is waiting for an answer. */
  readonly settled: Promise<void>;
  readonly #unanswered: Map<string | number, OutboundRequest>;
  #settle: () => void = () => undefined;
  #exchange: RunningExchange | undefined;
  #isAbandoned = false;

  constructor(outbound: OutboundMessage) {
    this.outbound = outbound;
    this.#unanswered = new Map(outbound.requests.map((request) => [request.key, request]));
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#settleIfDone();
  }

  get unanswered(): readonly OutboundRequest[] {
    return [...this.#unanswered.values()];
  }

  get isSettled(): boolean {
    return this.#unanswered.size === 0;
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  runsAs(exchange: RunningExchange): void {
    this.#exchange = exchange;
  }

  /** Marks the request with this key as answered, and returns it. */
  answered(key: string | number): OutboundRequest | undefined {
    const request = this.#unanswered.get(key);
    this.#unanswered.delete(key);
    this.#settleIfDone();
    return request;
  }

  /** Cancels all requests. In revision 2026-07-28, closing the stream tells the server so. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#unanswered.clear();
    this.#settleIfDone();
    this.#exchange?.abort();
  }

  #settleIfDone(): void {
    if (this.#unanswered.size === 0) this.#settle();
  }
}
