import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, withContext } from './line-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

describe('a line diff', () => {
  it('contains all lines of both texts', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffLines(before, after);
        expect(diff.filter(({ mark }) => mark !== '+').map(({ text }) => text)).toEqual(before);
        expect(diff.filter(({ mark }) => mark !== '-').map(({ text }) => text)).toEqual(after);
      }),
    );
  });

  it('marks only the changed lines', () => {
    const diff = diffLines(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'd']);
    expect(diff.map(({ mark, text }) => mark + text)).toEqual([' a', '-b', '+x', ' c', ' d']);
  });

  it('finds single changes far apart in long texts', () => {
    const before = Array.from({ length: 50_000 }, (_, i) => String(i));
    const diff = diffLines(before, before.with(10, 'x').with(49_990, 'y'));
    expect(diff.filter(({ mark }) => mark !== ' ').map(({ mark, text }) => mark + text)).toEqual([
      '-10',
      '+x',
      '-49990',
      '+y',
    ]);
  });

  it('marks all lines as changed if the texts differ in too many', () => {
    const diff = diffLines(Array(40_000).fill('a'), Array(40_000).fill('b'));
    expect(diff.map(({ mark }) => mark)).toEqual([...Array(40_000).fill('-'), ...Array(40_000).fill('+')]);
  });

  it('omits lines that are far from any change', () => {
    const before = Array.from({ length: 20 }, (_, i) => String(i));
    const shown = withContext(diffLines(before, before.with(10, 'x')), 1);
    expect(shown.map((line) => (line === undefined ? '…' : line.mark + line.text))).toEqual([
      '…',
      ' 9',
      '-10',
      '+x',
      ' 11',
      '…',
    ]);
  });
});
