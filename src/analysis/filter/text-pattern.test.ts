import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namePattern, withoutEscapes } from './text-pattern.ts';

describe('withoutEscapes', () => {
  it('decodes the JSON literal of any string to that string in quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(withoutEscapes(JSON.stringify(text))).toBe(`"${text}"`);
      }),
    );
  });

  it('decodes \\u escapes', () => {
    expect(withoutEscapes(String.raw`"\u00e9\u00E9\/\\u0041"`)).toBe(String.raw`"éé/\u0041"`);
  });
});

describe('namePattern', () => {
  it.each([
    ['get_*', 'get_x', true],
    ['get_*', 'get_', true],
    ['get_*', 'forget_x', false],
    ['*_file', 'read_text_file', true],
    ['r*t*e', 'read_text_file', true],
    ['a*a', 'a', false],
    ['a*b*b', 'ab', false],
    ['a**b', 'axb', true],
    ['*', '', true],
    ['Get_X', 'get_x', true],
    ['get', 'get_x', false],
  ])('decides whether the pattern %s matches %s', (pattern, name, fits) => {
    expect(namePattern(pattern, false)(name)).toBe(fits);
  });

  it('treats quoted asterisks as literal', () => {
    expect(namePattern('a*', true)('ab')).toBe(false);
    expect(namePattern('a*', true)('A*')).toBe(true);
  });
});
