import type { OutboundMessage, OutboundRequest } from './outbound.ts';
import type { RunningExchange } from './running-exchange.ts';
import { StreamPosition } from './stream-position.ts';

/** Something that was sent by POST, until each request in it has its answer. */
export class PostedRequest {
  readonly outbound: OutboundMessage;
  /** How far the stream of its answers was read. */
  readonly position: StreamPosition = new StreamPosition();
  /** Resolves when nobody waits for an answer any more. */
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

  /** The request of this key has its answer; returns which that was. */
  answered(key: string | number): OutboundRequest | undefined {
    const request = this.#unanswered.get(key);
    this.#unanswered.delete(key);
    this.#settleIfDone();
    return request;
  }

  /** Nobody wants an answer any more: in the modern era, closing the stream says so to the server. */
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
