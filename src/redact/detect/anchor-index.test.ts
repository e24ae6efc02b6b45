import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnchorIndex } from './anchor-index.ts';
import { DETECTORS } from './detectors.ts';

const index = new AnchorIndex(DETECTORS);

function placesInText(text: string): string[] {
  const places: string[] = [];
  index.some(text, ({ kind }, at) => {
    places.push(`${kind} at ${at}`);
    return false;
  });
  return places;
}

function placesInBytes(bytes: Uint8Array, start: number, end: number): string[] {
  const places: string[] = [];
  index.someInBytes(bytes, start, end, ({ kind }, at) => {
    places.push(`${kind} at ${at - start}`);
    return false;
  });
  return places;
}

const part = fc.oneof(
  fc.constantFrom('ghp_', 'sk-ant-', 'AKIA', 'Bearer ', '"headers"', 'x-api-key', '://', '\\u0041'),
  fc.string({ maxLength: 5, unit: 'grapheme-ascii' }),
);
const asciiText = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));

it('finds the same places in a text and in its bytes', () => {
  fc.assert(
    fc.property(asciiText, (text) => {
      const bytes = new TextEncoder().encode(`ab${text}cd`);
      expect(placesInBytes(bytes, 2, bytes.length - 2)).toEqual(placesInText(text));
    }),
  );
});

it('finds an anchor at every offset', () => {
  for (let before = 0; before < 8; before++) {
    expect(placesInText(`${' '.repeat(before)}ghp_ `)).toContain(`github-token at ${before}`);
  }
});

it('refuses an anchor that does not have four characters', () => {
  expect(() => new AnchorIndex([{ anchors: ['abc'] }])).toThrow(RangeError);
});
