/** The distribution of the durations of some calls. */
export interface DurationSpread {
  readonly meanMs: number | undefined;
  /** The number of calls by duration: below 1 ms, below 2, below 4 and so on; the last bin has no limit. */
  readonly bins: readonly number[];
}

/** The last bin is for calls of more than about a minute. */
export const SPREAD_BINS = 18;

/** Counts durations in bins, each twice as wide as the one before. */
export class SpreadTally {
  readonly #bins = new Array<number>(SPREAD_BINS).fill(0);
  #sumMs = 0;
  #count = 0;

  add(ms: number): void {
    // If the clock was set back, the duration counts as 0.
    const duration = Math.max(0, ms);
    const bin = binOf(duration);
    this.#bins[bin] = (this.#bins[bin] ?? 0) + 1;
    this.#sumMs += duration;
    this.#count++;
  }

  spread(): DurationSpread {
    return { meanMs: this.#count === 0 ? undefined : this.#sumMs / this.#count, bins: [...this.#bins] };
  }
}

export function binOf(ms: number): number {
  return ms < 1 ? 0 : Math.min(SPREAD_BINS - 1, Math.floor(Math.log2(ms)) + 1);
}
