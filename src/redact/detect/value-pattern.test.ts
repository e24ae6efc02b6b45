import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReelError } from '../../model/errors.ts';
import { compileValuePatterns } from './value-pattern.ts';

async function matches(source: string, text: string): Promise<string[]> {
  const [pattern] = await compileValuePatterns([source]);
  return pattern?.find(text).map(({ start, end }) => text.slice(start, end)) ?? [];
}

describe('value patterns', () => {
  it.each([
    ['cust-\\d+', 'cust-1, cust-22 and cust-', ['cust-1', 'cust-22']],
    ['(?i)acme', 'Acme ACME', ['Acme', 'ACME']],
    ['^a', 'aaa', ['a']],
    ['a$', 'aaa', ['a']],
    ['\\bfoo\\b', 'foo xfoo foox 😀foo', ['foo', 'foo']],
    ['x+y?', 'axb', ['x']],
  ])('finds all matches of the pattern %s', async (source, text, expected) => {
    expect(await matches(source, text)).toEqual(expected);
  });

  it('finds a match that is far into a text, and one that is long', async () => {
    const far = 'z'.repeat(5000);
    expect(await matches('b.*b', `${far}b${far}b${far}`)).toEqual([`b${far}b`]);
    expect(await matches('z+$', far)).toEqual([far]);
  });

  it('finds the same matches in a long text as a JavaScript regular expression', async () => {
    const [pattern] = await compileValuePatterns(['[ab]c+d?']);
    const piece = fc.constantFrom('a', 'b', 'c', 'd', ' ', 'ccc');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 2000, size: 'max' }), (pieces) => {
        const text = pieces.join('');
        const expected = [...text.matchAll(/[ab]c+d?/g)].map(({ index }) => index);
        expect(pattern?.find(text).map(({ start }) => start)).toEqual(expected);
      }),
    );
  });

  it('matches a greedy pattern up to the last possible end, however far away it is', async () => {
    const [pattern] = await compileValuePatterns(['BEGIN.*END']);
    const text = `x BEGIN END${'y'.repeat(5000)}END z`;
    expect(pattern?.find(text)).toMatchObject([{ start: 2, end: text.length - 2 }]);
  });

  it.each([
    ['A.*B', (n: number) => `A ${n} B ${'x'.repeat(10_000)} B`],
    ['k=(?:[^\\n]*END)?', (n: number) => `k=${n}${'y'.repeat(3000)}END`],
    ['q[^,\\n]+', (n: number) => `${n}q${'z'.repeat(5000)}`],
  ])('finds hundreds of long matches of %s exactly', async (source, match) => {
    const lines = Array.from({ length: 200 }, (_, n) => match(n));
    const expected = lines.map((line, n) => line.slice(source.startsWith('q') ? String(n).length : 0));
    expect(await matches(source, lines.join('\n'))).toEqual(expected);
  });

  it.each(['x(.*END)?', 'x(?:.*y.*END|)', 'x.*END|x'])(
    'takes the rest of a text for a match of %s if the searches read too much of it',
    async (source) => {
      const [pattern] = await compileValuePatterns([source]);
      const text = 'x'.repeat(100_000);
      const found = pattern?.find(text) ?? [];
      expect(found.length).toBeLessThan(1000);
      expect(found.at(-1)?.end).toBe(text.length);
      expect(found.map(({ start }) => start)).toEqual(found.map((_, index) => index));
    },
  );

  it.each(['(', '[a', 'a{2,1}', '(?=a)', '\\1', 'a**'])(
    'rejects a pattern that cannot be compiled as a usage error: %s',
    async (source) => {
      const failure = await compileValuePatterns(['ok', source]).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ReelError);
      const message = expect.stringContaining(`Cannot use the redaction pattern "${source}": `) as string;
      expect(failure).toMatchObject({ code: 'usage', message });
    },
  );

  it('rejects a pattern that matches the empty text as a usage error', async () => {
    const message = 'Cannot use the redaction pattern "a*": it matches the empty text';
    await expect(compileValuePatterns(['a*'])).rejects.toMatchObject({ code: 'usage', message });
  });
});
