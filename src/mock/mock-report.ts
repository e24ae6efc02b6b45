import type { MockMiss } from './misses.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/**
 * A recorded request that no client made.
 *
 * @example
 * ```ts
 * import { startMock, type UnusedRequest } from 'mcpreel';
 *
 * const inWords = ({ sequence, method, name = '' }: UnusedRequest) => `#${sequence} ${method} ${name}`;
 *
 * const mock = await startMock('session.json');
 * const { unused } = await mock.stop();
 * console.log(unused.map(inWords));
 * ```
 */
export interface UnusedExchange {
  /** Its index among the messages of the session, from 0. */
  readonly sequence: number;
  readonly method: string;
  /** The tool, prompt or resource that it names. */
  readonly name: string | undefined;
}

/**
 * How a recording was used while it was served.
 *
 * @example
 * ```ts
 * import { type MockReport, startMock } from 'mcpreel';
 *
 * const mock = await startMock('session.json');
 * const { answered, recorded, missed }: MockReport = await mock.stop();
 * console.log(`${answered} answered, ${recorded} recorded, ${missed} missed`);
 * ```
 */
export interface MockReport {
  /** The number of requests answered from the recording. */
  readonly answered: number;
  /** The number of requests in the recording. */
  readonly recorded: number;
  /** The recorded requests that no client made, in recorded order. */
  readonly unused: readonly UnusedExchange[];
  /** The number of requests without a recorded response. */
  readonly missed: number;
  /** How many of the missed requests went to a live server. */
  readonly forwarded: number;
  /** The first 1000 requests without a recorded response. */
  readonly misses: readonly MockMiss[];
}

/** The report lists at most this many misses. */
const MAX_MISSES = 1000;

/** Counts which recorded exchanges were used and which requests were missed. */
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
