import { expect } from 'vitest';

/** A busy machine distorts some measurements, but not all of this many. */
const ATTEMPTS = 12;
/** Shorter times are not measured reliably, and do not matter. */
const MIN_MS = 8;

interface GrowingWork {
  readonly small: () => unknown;
  readonly large: () => unknown;
  /** The size of the large work as a multiple of the small. */
  readonly times: number;
}

/**
 * Expects one large piece of work to take about as long as many small ones of the same total size.
 *
 * Linear work takes as long, quadratic work `times` times as long; the limit is half of that. Both are measured
 * alternately, in periods of equal length, because a busy machine interrupts a long period more often than a short one.
 * The shortest time of each counts, and the measurement repeats until the expectation holds.
 */
export async function expectLinearGrowth(
  { small, large, times }: GrowingWork,
  now: () => number = () => performance.now(),
): Promise<void> {
  const timeOf = async (work: () => unknown, count: number): Promise<number> => {
    const startMs = now();
    for (let i = 0; i < count; i++) await work();
    return now() - startMs;
  };
  let smallMs = Number.POSITIVE_INFINITY;
  let largeMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    largeMs = Math.min(largeMs, await timeOf(large, 1));
    smallMs = Math.min(smallMs, await timeOf(small, times));
    if (largeMs <= (times / 2) * Math.max(smallMs, MIN_MS)) return;
  }
  expect(largeMs / Math.max(smallMs, MIN_MS)).toBeLessThanOrEqual(times / 2);
}
