import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeenIds } from './seen-ids.ts';

describe('SeenIds', () => {
  it('distinguishes new ids from seen ids exactly as a Set does', () => {
    const id = fc.oneof(fc.nat(100), fc.nat(999_999_999), fc.string({ maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(id), (ids) => {
        const seen = new SeenIds();
        const known = new Set<string | number>();
        for (const next of ids) {
          expect(seen.add(next)).toBe(!known.has(next));
          known.add(next);
        }
      }),
    );
  });
});
