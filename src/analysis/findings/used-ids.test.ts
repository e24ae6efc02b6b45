import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsedIds } from './used-ids.ts';

describe('UsedIds', () => {
  it('distinguishes new ids from used ids exactly as a Set does, and treats forgotten ids as new', () => {
    const id = fc.oneof(fc.nat(8), fc.constantFrom('sa', 'sb'));
    const step = fc.record({ id, forgets: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const used = new UsedIds({ left: 1000 });
        const known = new Set<string | number>();
        for (const { id: next, forgets } of steps) {
          if (forgets) {
            used.forget(next);
            known.delete(next);
          } else {
            expect(used.add(next)).toBe(!known.has(next));
            known.add(next);
          }
        }
      }),
    );
  });

  it('recognizes an id that was used before the sequence reached it', () => {
    const used = new UsedIds({ left: 10 });
    expect([5, 7, 6, 7].map((id) => used.add(id))).toEqual([true, true, true, false]);
  });

  it('stores consecutive ids without using its budget, and reports no duplicates beyond the budget', () => {
    const used = new UsedIds({ left: 0 });
    for (let id = 5; id < 1000; id++) expect(used.add(id)).toBe(true);
    expect(used.add(500)).toBe(false);
    expect([used.add('sa'), used.add('sa')]).toEqual([true, true]);
  });
});
