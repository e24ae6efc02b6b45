import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Durations } from './durations.ts';

function percentilesOf(durations: readonly number[], mostExact?: number): ReturnType<Durations['percentiles']> {
  const all = new Durations(mostExact);
  for (const ms of durations) all.add(ms);
  return all.percentiles();
}

/** The smallest duration such that at least this percentage of durations are not longer. */
function nearestRank(durations: readonly number[], percent: number): number | undefined {
  const sorted = durations.toSorted((a, b) => a - b);
  return sorted.find((_, index) => (index + 1) * 100 >= percent * sorted.length);
}

const someDurations = fc.array(
  fc.integer({ min: 0, max: 10_000_000 }).map((n) => n / 10),
  { minLength: 1, maxLength: 300 },
);

describe('duration percentiles', () => {
  it.each([
    [[7], { p50Ms: 7, p95Ms: 7, p99Ms: 7, maxMs: 7 }],
    [[4, 1, 3, 2], { p50Ms: 2, p95Ms: 4, p99Ms: 4, maxMs: 4 }],
    [Array.from({ length: 100 }, (_, n) => n + 1), { p50Ms: 50, p95Ms: 95, p99Ms: 99, maxMs: 100 }],
    [Array.from({ length: 200 }, (_, n) => 200 - n), { p50Ms: 100, p95Ms: 190, p99Ms: 198, maxMs: 200 }],
  ])('computes percentiles by nearest rank: %j', (durations, expected) => {
    expect(percentilesOf(durations)).toEqual({ ...expected, exact: true });
  });

  it('returns no percentiles without durations', () => {
    expect(percentilesOf([])).toEqual({
      p50Ms: undefined,
      p95Ms: undefined,
      p99Ms: undefined,
      maxMs: undefined,
      exact: true,
    });
  });

  it('treats negative durations as 0', () => {
    expect(percentilesOf([-5, -3])).toMatchObject({ p50Ms: 0, maxMs: 0 });
  });

  it('computes exact percentiles for any order and number of durations', () => {
    fc.assert(
      fc.property(someDurations, (durations) => {
        expect(percentilesOf(durations)).toEqual({
          p50Ms: nearestRank(durations, 50),
          p95Ms: nearestRank(durations, 95),
          p99Ms: nearestRank(durations, 99),
          maxMs: Math.max(...durations),
          exact: true,
        });
      }),
    );
  });

  it('is accurate to 0.5 % beyond the sample limit, and then reports exact: false', () => {
    fc.assert(
      fc.property(someDurations, (durations) => {
        const { p50Ms = 0, p95Ms = 0, p99Ms = 0, maxMs, exact } = percentilesOf(durations, 8);
        expect(exact).toBe(durations.length <= 8);
        expect(maxMs).toBe(Math.max(...durations));
        for (const [percent, ms] of [
          [50, p50Ms],
          [95, p95Ms],
          [99, p99Ms],
        ] as const) {
          const right = nearestRank(durations, percent) ?? 0;
          expect(Math.abs(ms - right)).toBeLessThanOrEqual(right * 0.005 + 1e-9);
        }
      }),
    );
  });
});
