import { describe, expect, it } from 'vitest';
import { binOf, SPREAD_BINS, SpreadTally } from './tool-spread.ts';

describe('the duration histogram', () => {
  it.each([
    [0, 0],
    [0.99, 0],
    [1, 1],
    [1.99, 1],
    [2, 2],
    [3.9, 2],
    [4, 3],
    [65_535, 16],
    [65_536, 17],
    [1e12, SPREAD_BINS - 1],
  ])('counts %d ms in bin %d', (ms, bin) => {
    expect(binOf(ms)).toBe(bin);
  });

  it('computes the mean of the added durations', () => {
    const tally = new SpreadTally();
    for (const ms of [1, 2, 6, -3]) tally.add(ms);
    const { meanMs, bins } = tally.spread();
    expect(meanMs).toBe(2.25);
    expect(bins.slice(0, 5)).toEqual([1, 1, 1, 1, 0]);
  });

  it('has no mean without durations', () => {
    expect(new SpreadTally().spread().meanMs).toBeUndefined();
  });
});
