import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeyedLists } from './keyed-lists.ts';

interface Numbered {
  readonly n: number;
}

it('behaves like plain arrays for any sequence of operations', () => {
  const step = fc.record({
    what: fc.constantFrom('add', 'add', 'add', 'take', 'remove'),
    key: fc.nat(1),
    value: fc.nat(30),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const lists = new KeyedLists<number, Numbered>();
      const plain: [Numbered[], Numbered[]] = [[], []];
      for (const [n, { what, key, value }] of steps.entries()) {
        const expected = plain[key as 0 | 1];
        const at = what === 'take' ? 0 : expected.findIndex((one) => one.n === value);
        if (what === 'add') {
          lists.add(key, { n });
          expected.push({ n });
        } else {
          const one = what === 'take' ? lists.first(key) : [...lists.of(key)][at];
          expect(one).toEqual(expected[at]);
          expect(one === undefined ? false : lists.remove(key, one)).toBe(
            expected.splice(at, at < 0 ? 0 : 1).length > 0,
          );
        }
        expect([...lists.of(key)]).toEqual(expected);
        expect([lists.first(key), lists.newest(key)]).toEqual([expected[0], expected.at(-1)]);
        expect(lists.only(key)).toEqual(expected.length === 1 ? expected[0] : undefined);
      }
      expect(lists.size).toBe(plain[0].length + plain[1].length);
      expect([...lists.values()].map(({ n }) => n).sort()).toEqual(
        plain
          .flat()
          .map(({ n }) => n)
          .sort(),
      );
    }),
  );
});

it('does not remove a value that was removed before or has another key', () => {
  const lists = new KeyedLists<string, Numbered>();
  const value = { n: 1 };
  lists.add('key', value);
  expect([lists.remove('other', value), lists.remove('key', value), lists.remove('key', value)]).toEqual([
    false,
    true,
    false,
  ]);
});

it('keeps the order of a value that is removed and added again', () => {
  const lists = new KeyedLists<string, Numbered>();
  const [a, b] = [{ n: 1 }, { n: 2 }];
  for (const one of [a, b]) lists.add('key', one);
  expect(lists.first('key')).toBe(a);
  lists.remove('key', a);
  lists.add('key', a);
  expect(lists.first('key')).toBe(b);
});
