import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reordered, type TwoRuns } from './call-order.ts';

const runs = (a: readonly [number, number], b: readonly [number, number]): TwoRuns => ({
  a: { start: a[0], end: a[1] },
  b: { start: b[0], end: b[1] },
});

describe('reordered', () => {
  it('reports calls that swapped places if one ended before the other started', () => {
    const [first, second] = [runs([0, 1], [2, 3]), runs([2, 3], [0, 1])];
    expect(reordered([first], [first, second])).toEqual([first]);
    expect(reordered([second], [first, second])).toEqual([second]);
  });

  it.each([
    ['in both', runs([0, 2], [1, 3]), runs([1, 3], [0, 2])],
    ['in the one session', runs([0, 2], [2, 3]), runs([1, 3], [0, 1])],
    ['in the other session', runs([0, 1], [1, 3]), runs([2, 3], [0, 2])],
    ['for ever', runs([0, Infinity], [1, Infinity]), runs([1, Infinity], [0, Infinity])],
  ])('reports no reordering if the calls overlap %s', (_, first, second) => {
    expect(reordered([first], [first, second])).toEqual([]);
    expect(reordered([second], [first, second])).toEqual([]);
  });

  it('finds the same calls as a comparison of every pair', () => {
    const interval = fc.tuple(fc.nat(20), fc.oneof(fc.nat(8), fc.constant(Infinity)));
    const run = fc
      .tuple(interval, interval)
      .map(([[a, long], [b, wide]]) => runs([a, a + 1 + long], [b, b + 1 + wide]));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 12 }), (all) => {
        const swapped = (one: TwoRuns, other: TwoRuns): boolean =>
          (other.a.end < one.a.start && other.b.start > one.b.end) ||
          (other.a.start > one.a.end && other.b.end < one.b.start);
        expect(reordered(all, all)).toEqual(all.filter((one) => all.some((other) => swapped(one, other))));
      }),
    );
  });
});
