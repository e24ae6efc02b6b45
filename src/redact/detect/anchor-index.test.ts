import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnchorIndex } from './anchor-index.ts';
import { DETECTORS } from './detectors.ts';

const index = new AnchorIndex(DETECTORS);

function placesIn(text: string, way: 'some' | 'someQuickly'): string[] {
  const places: string[] = [];
  index[way](text, ({ kind }, at) => {
    places.push(`${kind} at ${at}`);
    return false;
  });
  return places;
}

const part = fc.oneof(
  fc.constantFrom(
    'ghp_',
    'sk-ant-',
    'AKIA',
    'Bearer ',
    '"headers"',
    'x-api-key',
    '://',
    '\\u0041',
    'é',
    '🙂',
    '\ud800',
  ),
  fc.string({ maxLength: 5 }),
);
const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));

it('finds the same places the quick way', () => {
  fc.assert(
    fc.property(text, (any) => {
      expect(placesIn(any, 'someQuickly')).toEqual(placesIn(any, 'some'));
    }),
  );
});

it('finds them in texts that are too long for the quick way', () => {
  const long = `${' '.repeat(1 << 14)}ghp_`;
  expect(placesIn(long, 'someQuickly')).toEqual(placesIn(long, 'some'));
  expect(placesIn(long, 'some')).not.toEqual([]);
});
