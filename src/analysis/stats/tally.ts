import { inOwnMemory } from '../../json/own-memory.ts';
import type { CallStatus } from '../calls/call.ts';
import { Durations, type Percentiles } from './durations.ts';
import type { MeasuredCall } from './measured-call.ts';

/** What some calls come to. Percentiles are of those that were answered. */
export interface CallFigures extends Percentiles {
  readonly calls: number;
  readonly byStatus: Readonly<Record<CallStatus, number>>;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** How long people were asked, all calls together. */
  readonly humanMs: number;
}

/** Adds calls up. */
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

/** What is counted together once there are too many names. */
const OTHERS = '(others)';
const MAX_NAMES = 10_000;

/** A tally for each name that comes up. Names are what the traffic says, so that there may be any number of them. */
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

  /** Those with the most calls first. */
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
