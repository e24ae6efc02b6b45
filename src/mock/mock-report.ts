import type { MockMiss } from './misses.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** A recorded request that nobody asked for. */
export interface UnusedExchange {
  /** Its place among the messages of the session, from 0. */
  readonly sequence: number;
  readonly method: string;
  /** The tool, prompt or resource that it names. */
  readonly name: string | undefined;
}

/** What became of a recording that was served. */
export interface MockReport {
  /** How many requests were answered from it. */
  readonly answered: number;
  /** How many requests it holds. */
  readonly recorded: number;
  /** Those of them that nobody asked for, in their order. */
  readonly unused: readonly UnusedExchange[];
  /** How many requests it had no answer to. */
  readonly missed: number;
  /** How many of these a live server was asked instead. */
  readonly forwarded: number;
  /** The first 1000 requests that it had no answer to. */
  readonly misses: readonly MockMiss[];
}

/** So many misses are told one by one. */
const MAX_MISSES = 1000;

/** Notes what is used of a recording, and what is missed. */
export class MockTally {
  readonly #exchanges: readonly RecordedExchange[];
  readonly #used = new Set<RecordedExchange>();
  readonly #misses: MockMiss[] = [];
  #answered = 0;
  #missed = 0;
  #forwarded = 0;

  constructor(exchanges: readonly RecordedExchange[]) {
    this.#exchanges = exchanges.filter(({ isRequest }) => isRequest);
  }

  use(exchange: RecordedExchange): void {
    this.#used.add(exchange);
    if (exchange.isRequest) this.#answered++;
  }

  miss(miss: MockMiss): void {
    this.#missed++;
    if (miss.isForwarded) this.#forwarded++;
    if (this.#misses.length < MAX_MISSES) this.#misses.push(miss);
  }

  report(): MockReport {
    const unused = this.#exchanges
      .filter((exchange) => !this.#used.has(exchange))
      .map(({ step, method }) => ({ sequence: step.entry.sequence, method, name: step.name }));
    return {
      answered: this.#answered,
      recorded: this.#exchanges.length,
      unused,
      missed: this.#missed,
      forwarded: this.#forwarded,
      misses: [...this.#misses],
    };
  }
}
