import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxLengthFor, patternCost } from './pattern-cost.ts';

describe('patternCost', () => {
  it.each(['^(a+)+$', '(a|aa)*$', '^(a*)*b', '(?=a)b', '(a)\\1', '(?<x>a)\\k<x>', '((a?)b)+', '(a{2}){3}', 'a{2000}'])(
    'returns no cost bound for %s',
    (pattern) => expect(patternCost(pattern)).toBeUndefined(),
  );

  it.each([
    ['^[a-z0-9-]+$', 2],
    ['^\\d{4}-\\d{2}-\\d{2}$', 1],
    ['^(?:GET|POST)$', 1],
    ['^#/(?:[^/]+)$', 2],
    ['\\p{L}+\\s*[\\]a]*', 4],
  ])('returns the cost bound of %s', (pattern, degree) => expect(patternCost(pattern)).toMatchObject({ degree }));

  it.each(['(', ')', 'a)', '[', 'x'.repeat(3000)])('rejects or bounds a possibly invalid pattern: %s', (pattern) => {
    const cost = patternCost(pattern);
    if (cost !== undefined) expect(maxLengthFor(cost)).toBeGreaterThan(0);
  });

  it('lets no accepted pattern run for a noticeable time', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '\\w',
      '(',
      ')',
      '(?:',
      '|',
      '*',
      '+',
      '?',
      '{2}',
      '{1,3}',
      '$',
      '^',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        const pattern = parts.join('');
        const cost = patternCost(pattern);
        if (cost === undefined || !isPattern(pattern)) return;
        const text = `${'a'.repeat(Math.min(maxLengthFor(cost), 20_000))}!`;
        const timeMs = (): number => {
          const startMs = performance.now();
          new RegExp(pattern, 'u').test(text);
          return performance.now() - startMs;
        };
        // A regular expression does not count its steps, so this measures time. Unbounded backtracking would take
        // years, so the limit allows for a machine that is a hundred times slower. If the machine stalled, the second
        // try decides.
        expect(timeMs() < 5000 || timeMs() < 5000).toBe(true);
      }),
    );
  });
});

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
