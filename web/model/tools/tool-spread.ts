/** How the times of some calls are spread. */
export interface DurationSpread {
  readonly meanMs: number | undefined;
  /** How many took how long: below 1 ms, below 2, below 4 … and longer than all that. */
  readonly bins: readonly number[];
}

/** The last one is for all that takes more than a minute or so. */
export const SPREAD_BINS = 18;

/** Counts durations in bins each twice as wide as the one before. */
export class SpreadTally {
  readonly #bins = new Array<number>(SPREAD_BINS).fill(0);
  #sumMs = 0;
  #count = 0;

  add(ms: number): void {
    // A clock that was set back makes no answer come before its question.
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
