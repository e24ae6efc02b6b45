/** Percentiles of durations. `exact` is false if the durations were counted in buckets. */
export interface Percentiles {
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly maxMs: number | undefined;
  readonly exact: boolean;
}

/** The maximum number of durations that are stored exactly, in eight bytes each. */
const MAX_EXACT = 1 << 20;
/**
 * Beyond that, durations are counted in buckets that grow by this factor, which makes percentiles accurate to 0.5 %.
 */
const GROWTH = 1.01;
/** Shorter durations, in milliseconds, count as 0. */
const MIN_MS = 0.001;

/** Collects durations in bounded memory and computes percentiles by nearest rank. */
export class Durations {
  readonly #mostExact: number;
  #kept = new Float64Array(16);
  #buckets: Map<number, number> | undefined;
  #count = 0;
  #maxMs = 0;

  constructor(mostExact: number = MAX_EXACT) {
    this.#mostExact = mostExact;
  }

  add(ms: number): void {
    // A clock that was set back can make a duration negative.
    const duration = Math.max(0, ms);
    if (this.#buckets === undefined && this.#count === this.#mostExact) this.#buckets = this.#bucketed();
    if (this.#buckets === undefined) this.#keep(duration);
    else countIn(this.#buckets, duration);
    this.#count++;
    this.#maxMs = Math.max(this.#maxMs, duration);
  }

  percentiles(): Percentiles {
    const exact = this.#buckets === undefined;
    if (this.#count === 0) return { p50Ms: undefined, p95Ms: undefined, p99Ms: undefined, maxMs: undefined, exact };
    const at = this.#buckets === undefined ? this.#ranked() : ranksOf(this.#buckets);
    const percentile = (p: number): number => Math.min(this.#maxMs, at(Math.ceil((p * this.#count) / 100)));
    return { p50Ms: percentile(50), p95Ms: percentile(95), p99Ms: percentile(99), maxMs: this.#maxMs, exact };
  }

  #keep(duration: number): void {
    if (this.#count === this.#kept.length) {
      const wider = new Float64Array(Math.min(this.#mostExact, this.#kept.length * 2));
      wider.set(this.#kept);
      this.#kept = wider;
    }
    this.#kept[this.#count] = duration;
  }

  #bucketed(): Map<number, number> {
    const buckets = new Map<number, number>();
    for (const duration of this.#kept.subarray(0, this.#count)) countIn(buckets, duration);
    this.#kept = new Float64Array(0);
    return buckets;
  }

  /** The duration at a rank, from 1. */
  #ranked(): (rank: number) => number {
    const sorted = this.#kept.slice(0, this.#count).sort();
    return (rank) => sorted[rank - 1] ?? this.#maxMs;
  }
}

function countIn(buckets: Map<number, number>, duration: number): void {
  const bucket = duration < MIN_MS ? Number.NEGATIVE_INFINITY : Math.ceil(Math.log(duration) / Math.log(GROWTH));
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
}

function ranksOf(buckets: ReadonlyMap<number, number>): (rank: number) => number {
  const inOrder = [...buckets].sort(([a], [b]) => (a < b ? -1 : 1));
  return (rank) => {
    let passed = 0;
    for (const [bucket, count] of inOrder) {
      passed += count;
      if (passed >= rank) return middleOf(bucket);
    }
    return Number.POSITIVE_INFINITY;
  };
}

/** The value with the same relative distance from both ends of a bucket. */
function middleOf(bucket: number): number {
  return bucket === Number.NEGATIVE_INFINITY ? 0 : (2 * GROWTH ** bucket) / (1 + GROWTH);
}
