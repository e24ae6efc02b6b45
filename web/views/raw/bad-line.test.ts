import { describe, expect, it } from 'vitest';
import { badLineFrom } from './bad-line.ts';

const bad = [{ line: 3 }, { line: 7 }, { line: 9 }];

describe('badLineFrom', () => {
  it.each([
    [undefined, 1, 3],
    [1, 1, 3],
    [3, 1, 7],
    [9, 1, 3],
    [undefined, -1, 9],
    [7, -1, 3],
    [3, -1, 9],
  ] as const)('moves from %s by %i to %i', (from, step, expected) => {
    expect(badLineFrom(bad, from, step)).toBe(expected);
  });

  it('finds nothing if no line is bad', () => {
    expect(badLineFrom([], 4, 1)).toBeUndefined();
  });
});
