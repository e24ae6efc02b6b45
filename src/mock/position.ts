import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import { BoundValues } from '../recorded/bound-values.ts';
import { isProbing, type RecordedExchange } from './recorded-exchange.ts';
import { MockSubscriptions } from './subscriptions.ts';

/** One client's position in the recording: which exchanges it has used and which are suspended. */
export class MockPosition {
  readonly bound: BoundValues = new BoundValues();
  readonly subscriptions: MockSubscriptions = new MockSubscriptions();
  readonly #deal: () => number | undefined;
  #preferred: { readonly conversation: number | undefined } | undefined;
  readonly #used = new Set<RecordedExchange>();
  readonly #suspended = new Map<string, SuspendedExchange>();
  #states = 0;
  readonly #queues = new Map<readonly RecordedExchange[], ExchangeQueue>();

  /** If there are several recorded conversations, exchanges of the one that `deal` returns come first. */
  constructor(deal: () => number | undefined = () => undefined) {
    this.#deal = deal;
  }

  /** Stores where an exchange resumes after the client has answered. Returns the `requestState` to send. */
  suspend(suspended: SuspendedExchange): string {
    const state = `${STATE}${++this.#states}`;
    this.#suspended.set(state, suspended);
    return state;
  }

  /** The suspended exchange that a request continues, if any. */
  resume(request: JsonText): SuspendedExchange | undefined {
    if (this.#suspended.size === 0 || !request.includes(STATE)) return undefined;
    const state = ObjectView.of(request)?.object('params')?.string('requestState') ?? '';
    const suspended = this.#suspended.get(state);
    this.#suspended.delete(state);
    return suspended;
  }

  /** Takes the next of these exchanges that has not been used. */
  next(exchanges: readonly RecordedExchange[]): RecordedExchange | undefined {
    const queue = this.#queues.get(exchanges) ?? this.#queue(exchanges);
    while (queue.next < queue.exchanges.length) {
      const exchange = queue.exchanges[queue.next++];
      if (exchange === undefined || this.#used.has(exchange)) continue;
      this.#used.add(exchange);
      queue.last = exchange;
      return exchange;
    }
    return undefined;
  }

  /** The one of these exchanges that was used last. */
  last(exchanges: readonly RecordedExchange[]): RecordedExchange | undefined {
    return this.#queues.get(exchanges)?.last ?? exchanges.at(-1);
  }

  /** A client that only probes the server takes no conversation, so that the next client gets it. */
  #conversationFor(exchanges: readonly RecordedExchange[]): number | undefined {
    if (this.#preferred === undefined && exchanges.every(({ method }) => isProbing(method))) return undefined;
    this.#preferred ??= { conversation: this.#deal() };
    return this.#preferred.conversation;
  }

  #queue(exchanges: readonly RecordedExchange[]): ExchangeQueue {
    const preferred = this.#conversationFor(exchanges);
    const isPreferred = ({ conversation }: RecordedExchange): boolean => conversation === preferred;
    const inOrder = [...exchanges.filter(isPreferred), ...exchanges.filter((exchange) => !isPreferred(exchange))];
    const queue = { exchanges: inOrder, next: 0, last: undefined };
    this.#queues.set(exchanges, queue);
    return queue;
  }
}

/** Marks the states that mcpreel made, as opposed to the recorded server's. */
const STATE = 'mcpreel-state-';

/** An exchange that waits for the client. */
export interface SuspendedExchange {
  readonly exchange: RecordedExchange;
  readonly isFirst: boolean;
  readonly next: number;
}

interface ExchangeQueue {
  readonly exchanges: readonly RecordedExchange[];
  next: number;
  last: RecordedExchange | undefined;
}
