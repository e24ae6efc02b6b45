import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WaitingLists } from './waiting-lists.ts';

function waiting(...values: readonly string[]): WaitingLists<string, string> {
  const lists = new WaitingLists<string, string>();
  for (const value of values) lists.add('key', value);
  return lists;
}

describe('WaitingLists', () => {
  it('returns values in insertion order, separately for each key', () => {
    const lists = waiting('a', 'b', 'c');
    lists.add('other', 'x');
    expect([lists.take('key'), lists.take('other'), lists.take('key'), lists.take('key'), lists.take('key')]).toEqual([
      'a',
      'x',
      'b',
      'c',
      undefined,
    ]);
  });

  it('removes a value from any position, and only once', () => {
    const lists = waiting('a', 'b', 'c', 'd');
    expect([lists.remove('key', 'c'), lists.remove('key', 'c'), lists.remove('key', 'a')]).toEqual([true, false, true]);
    expect([...lists.values()]).toEqual(['b', 'd']);
    expect([lists.remove('key', 'd'), lists.take('key'), lists.take('key')]).toEqual([true, 'b', undefined]);
  });

  it('does not remove a value that was taken, has another key or was never added', () => {
    const lists = waiting('a', 'b', 'c');
    lists.take('key');
    lists.take('key');
    expect([lists.remove('key', 'a'), lists.remove('key', 'b'), lists.remove('other', 'c')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(lists.take('key')).toBe('c');
  });

  it('behaves like plain arrays for any sequence of operations', () => {
    const step = fc.record({
      what: fc.constantFrom('add', 'add', 'take', 'remove'),
      key: fc.nat(1),
      value: fc.nat(30),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const lists = new WaitingLists<number, number>();
        const plain: [number[], number[]] = [[], []];
        for (const [n, { what, key, value }] of steps.entries()) {
          const expected = plain[key as 0 | 1];
          if (what === 'add') {
            lists.add(key, n);
            expected.push(n);
          } else if (what === 'take') {
            expect(lists.take(key)).toBe(expected.shift());
          } else {
            const at = expected.indexOf(value);
            if (at !== -1) expected.splice(at, 1);
            expect(lists.remove(key, value)).toBe(at !== -1);
          }
        }
        expect([...lists.values()].sort()).toEqual([...plain[0], ...plain[1]].sort());
      }),
    );
  });
});
