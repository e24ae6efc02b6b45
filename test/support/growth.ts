import { expect } from 'vitest';

/** A busy machine spoils some measurements, never all of so many. */
const ATTEMPTS = 12;
/** What takes less is not measured well, and is no matter. */
const MIN_MS = 8;

interface GrowingWork {
  readonly small: () => unknown;
  readonly large: () => unknown;
  /** How many times as large the large one is. */
  readonly times: number;
}

/**
 * Expects that one large piece of work takes about as long as many small ones that come to the same size.
 *
 * Linear work takes as long, quadratic work `times` times as long; the limit is half of that. Both are measured in turns, in
 * stretches of equal length, since a busy machine interrupts a long stretch more often than a short one. The shortest time
 * of each counts, and it is measured again until the expectation holds.
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
