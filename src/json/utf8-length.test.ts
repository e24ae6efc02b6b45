import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from './utf8-length.ts';

describe('utf8Length', () => {
  it('counts the bytes that an encoder would write for any text', () => {
    const anything = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), anything), (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });

  it.each(['a', 'é', '€', '🎞', '\ud800'])(
    'counts the bytes of a text that is longer than the encoding buffer: %j',
    (character) => {
      const text = `x${character.repeat(100_000)}`;
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    },
  );
});
