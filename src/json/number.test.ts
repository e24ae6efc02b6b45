import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinearGrowth } from '../../test/support/growth.ts';
import { canonicalNumber } from './number.ts';

describe('canonicalNumber', () => {
  it.each([
    ['1', '1e0'],
    ['1.0', '1e0'],
    ['10e-1', '1e0'],
    ['1E0', '1e0'],
    ['0.1e+1', '1e0'],
    ['100', '1e2'],
    ['-0.0120', '-12e-3'],
    ['0', '0e0'],
    ['-0', '0e0'],
    ['0.00e99', '0e0'],
    ['9007199254740993', '9007199254740993e0'],
    ['1e400', '1e400'],
    ['1e999999999999999999999', '1e999999999999999999999'],
    ['10e-999999999999999999999', '1e-999999999999999999998'],
  ])('writes %s as %s', (lexeme, canonical) => {
    expect(canonicalNumber(lexeme)).toBe(canonical);
  });

  it('returns text that is not a number unchanged', () => {
    for (const text of ['', 'true', '1x', '0x1', '"1"', ' 1']) expect(canonicalNumber(text)).toBe(text);
  });

  it('writes two numbers identically if and only if they are equal', () => {
    const number = fc
      .record({
        sign: fc.constantFrom('', '-'),
        whole: fc.constantFrom('0', '1', '10', '100', '12', '120'),
        fraction: fc.constantFrom('', '0', '00', '1', '12', '120', '012'),
        exponent: fc.integer({ min: -4, max: 4 }),
      })
      .map(({ sign, whole, fraction, exponent }) => ({
        lexeme: `${sign}${whole}${fraction && `.${fraction}`}e${exponent}`,
        scaled: BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(exponent - fraction.length + 10),
      }));
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(canonicalNumber(a.lexeme) === canonicalNumber(b.lexeme)).toBe(a.scaled === b.scaled);
      }),
    );
  });

  it('takes time linear in the number of digits and the length of an exponent', async () => {
    const compare = (count: number) => (): void => expectCompared(count);
    await expectLinearGrowth({ small: compare(50_000), large: compare(1_000_000), times: 20 });
  });

  function expectCompared(count: number): void {
    const digits = '7'.repeat(count);
    expect(canonicalNumber(`${digits}.0`)).toBe(`${digits}e0`);
    expect(canonicalNumber(`0.${'0'.repeat(count)}1`)).toBe(`1e-${count + 1}`);
    expect(canonicalNumber(`1e${digits}`)).toBe(canonicalNumber(`1.0E+${digits}`));
    expect(canonicalNumber(`1e${digits}`) === canonicalNumber(`1e-${digits}`)).toBe(false);
    expect(canonicalNumber(`1e${digits}`) === canonicalNumber(`10e${digits}`)).toBe(false);
  }
});
