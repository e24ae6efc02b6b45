import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffExcerpt, excerptsOf } from './diff-excerpt.ts';

const shown = (excerpt: DiffExcerpt | undefined): string =>
  excerpt === undefined ? '' : excerpt.before + excerpt.differs + excerpt.after;

describe('excerptsOf', () => {
  it('separates the differing part from the common text', () => {
    expect(excerptsOf('"one two three"', '"one 2 three"')).toEqual({
      a: { before: '"one ', differs: 'two', after: ' three"', isCut: false },
      b: { before: '"one ', differs: '2', after: ' three"', isCut: false },
    });
  });

  it('shows a multi-line string as lines, and nothing for a missing side', () => {
    expect(excerptsOf(undefined, '"a\\nb"')).toEqual({
      a: undefined,
      b: { before: '', differs: 'a\nb', after: '', isCut: false },
    });
  });

  it('cuts long values around the first difference', () => {
    const { a, b } = excerptsOf(`"${'x'.repeat(90_000)}1"`, `"${'x'.repeat(90_000)}2${'y'.repeat(90_000)}"`);
    expect([a?.differs, a?.isCut]).toEqual(['1', true]);
    expect(b?.differs.startsWith('2y')).toBe(true);
    expect(shown(b).length).toBeLessThan(2000);
  });

  it('never cuts a character in two, and keeps short values whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
        const pair = excerptsOf(a, b);
        for (const excerpt of [pair.a, pair.b]) {
          for (const part of [excerpt?.before, excerpt?.differs, excerpt?.after])
            expect(part).not.toMatch(/[\ud800-\udfff]/u);
        }
        if (!a.includes('\\n')) expect(shown(pair.a)).toBe(a);
      }),
    );
  });
});
