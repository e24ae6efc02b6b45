import { describe, expect, it } from 'vitest';
import { badLineFrom } from './bad-line.ts';

const bad = [{ line: 3 }, { line: 7 }, { line: 9 }];

describe('the way from bad line to bad line', () => {
  it.each([
    [undefined, 1, 3],
    [1, 1, 3],
    [3, 1, 7],
    [9, 1, 3],
    [undefined, -1, 9],
    [7, -1, 3],
    [3, -1, 9],
  ] as const)('leads from %s by %i to %i', (from, step, expected) => {
    expect(badLineFrom(bad, from, step)).toBe(expected);
  });

  it('leads nowhere where none is', () => {
    expect(badLineFrom([], 4, 1)).toBeUndefined();
  });
});
