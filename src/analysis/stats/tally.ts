import { inOwnMemory } from '../../json/own-memory.ts';
import type { CallStatus } from '../calls/call.ts';
import { Durations, type Percentiles } from './durations.ts';
import type { MeasuredCall } from './measured-call.ts';

/** Aggregate figures for some calls. Percentiles cover answered calls only. */
export interface CallFigures extends Percentiles {
  readonly calls: number;
  readonly byStatus: Readonly<Record<CallStatus, number>>;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** The total time spent waiting for users. */
  readonly humanMs: number;
}

/** Aggregates measured calls. */
export class CallTally {
  readonly #durations = new Durations();
  readonly #byStatus = { ok: 0, error: 0, pending: 0, cancelled: 0, late: 0, stream: 0 };
  #calls = 0;
  #sentBytes = 0;
  #receivedBytes = 0;
  #humanMs = 0;

  add({ status, durationMs, humanMs, sentBytes, receivedBytes }: MeasuredCall): void {
    this.#calls++;
    this.#byStatus[status]++;
    this.#sentBytes += sentBytes;
    this.#receivedBytes += receivedBytes;
    this.#humanMs += humanMs;
    if (durationMs !== undefined) this.#durations.add(durationMs);
  }

  figures(): CallFigures {
    return {
      calls: this.#calls,
      byStatus: { ...this.#byStatus },
      ...this.#durations.percentiles(),
      sentBytes: this.#sentBytes,
      receivedBytes: this.#receivedBytes,
      humanMs: this.#humanMs,
    };
  }
}

/** The name under which calls are counted once there are too many names. */
const OTHERS = '(others)';
const MAX_NAMES = 10_000;

/** One tally per name. Names come from the traffic, so their number is limited. */
export class CallTallies {
  readonly #byName = new Map<string, CallTally>();
  readonly #maxNames: number;

  constructor(maxNames: number = MAX_NAMES) {
    this.#maxNames = maxNames;
  }

  add(name: string, measured: MeasuredCall): void {
    (this.#byName.get(name) ?? this.#begin(name)).add(measured);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Sorted by the number of calls, descending. */
  figures(): [name: string, figures: CallFigures][] {
    const all = [...this.#byName].map(([name, tally]): [string, CallFigures] => [name, tally.figures()]);
    return all.sort(([a, x], [b, y]) => y.calls - x.calls || (a < b ? -1 : 1));
  }

  #begin(name: string): CallTally {
    const key = this.#byName.size < this.#maxNames ? inOwnMemory(name) : OTHERS;
    const tally = this.#byName.get(key) ?? new CallTally();
    this.#byName.set(key, tally);
    return tally;
  }
}
