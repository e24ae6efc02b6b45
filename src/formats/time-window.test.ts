import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TimedElement, TimeWindow } from './time-window.ts';

/** The output for these items, added one after another. */
function through<Item extends TimedElement>(items: readonly Item[]): Item[] {
  const window = new TimeWindow<Item>();
  const out: Item[] = [];
  for (const item of items) {
    window.add(item);
    out.push(...window.takeOverflow());
  }
  return [...out, ...window.takeAll()];
}

describe('a time window', () => {
  it('sorts by time and keeps the order of equal times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 9 })), (times) => {
        const items = times.map((atMs, index) => ({ atMs, index, weight: 1 }));
        expect(through(items)).toEqual([...items].sort((a, b) => a.atMs - b.atMs || a.index - b.index));
      }),
    );
  });

  it('holds back at most the given number of items and returns each once', () => {
    const window = new TimeWindow<TimedElement>();
    const items = Array.from({ length: 10_000 }, (_, n) => ({ atMs: 10_000 - n, weight: 1 }));
    let given = 0;
    for (const item of items) {
      window.add(item);
      given += window.takeOverflow().length;
    }
    const rest = window.takeAll();
    expect(rest.length).toBeLessThan(5000);
    expect(given + rest.length).toBe(items.length);
    expect(window.takeAll()).toEqual([]);
  });

  it('does not hold back an item that is too large', () => {
    const window = new TimeWindow<TimedElement>();
    window.add({ atMs: 5, weight: 1 });
    window.add({ atMs: 9, weight: 1 << 26 });
    expect(window.takeOverflow()).toHaveLength(2);
    expect(window.takeAll()).toEqual([]);
  });
});
