import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinearGrowth } from '../../test/support/growth.ts';
import { almostJsonText, choices, deepTexts, jsonText, spell } from '../../test/support/sample-texts.ts';
import { sameJson } from './same-json.ts';
import { findFault } from './scan.ts';

describe('sameJson', () => {
  it.each([
    ['{"a":1,"b":[2]}', ' {\n"b" : [ 2 ],\t"a":1 } '],
    ['1.0', '1'],
    ['1', '10e-1'],
    ['10e-1', '1E0'],
    ['[100]', '[1e2]'],
    ['0', '-0'],
    ['0.0', '-0e5'],
    ['"\\u0061"', '"a"'],
    ['"\\/"', '"/"'],
    ['"\\ud83d\\ude00"', '"😀"'],
    ['{"\\u0061":1}', '{"a":1}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{"a":{"x":1},"b":0,"a":[]}', '{"b":0,"a":[]}'],
    ['{"__proto__":1}', '{ "__proto__": 1 }'],
    ['{}', '{ }'],
    ['12345678901234567890', '1234567890123456789e1'],
    ['1e999999999999999999999', '10e999999999999999999998'],
    ['no json', 'no json'],
  ])('treats %j and %j as equal', (a, b) => {
    expect(sameJson(a, b)).toBe(true);
    expect(sameJson(b, a)).toBe(true);
  });

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['1e400', '1e401'],
    ['1e400', '2e400'],
    ['1e-400', '0'],
    ['1e999999999999999999999', '1e999999999999999999998'],
    ['1', '-1'],
    ['1', '"1"'],
    ['null', '"null"'],
    ['true', 'false'],
    ['null', '{}'],
    ['[]', '{}'],
    ['[1,2]', '[2,1]'],
    ['[1]', '[1,1]'],
    ['[[1],2]', '[[1,2]]'],
    ['[12]', '[1,2]'],
    ['{"a":1}', '{"b":1}'],
    ['{"a":1}', '{"a":1,"b":1}'],
    ['{"a":1,"b":2}', '{"a":2,"b":1}'],
    ['{"a":null}', '{}'],
    ['{"a":1,"a":2}', '{"a":1}'],
    ['{"__proto__":1}', '{}'],
    ['{"__proto__":1}', '{"__proto__":2}'],
    ['"a"', '"A"'],
    ['"\\ud800"', '"\\udc00"'],
    ['"\\\\ud800"', '"\\ud800"'],
    ['{"\\\\ud800":1}', '{"\\ud800":1}'],
    ['"[0"', '[0]'],
    ['"1e0"', '1'],
    ['1', '1 x'],
    ['no json', 'no  json'],
    ['', ' '],
  ])('treats %j and %j as different', (a, b) => {
    expect(sameJson(a, b)).toBe(false);
    expect(sameJson(b, a)).toBe(false);
  });

  it('does not confuse one container with another among many values', () => {
    const among = (container: string): string => `[0,1,2,3,4,5,6,7,8,9,10,11,${container}]`;
    expect(sameJson(among('[1,11]'), among('[11,1]'))).toBe(false);
    expect(sameJson(among('[1,1,1]'), among('[11,1]'))).toBe(false);
    expect(sameJson(among('{"a":11}'), among('{"a1":1}'))).toBe(false);
    expect(sameJson(among('{"a":1,"b":1}'), among('{"a1,b":1}'))).toBe(false);
    expect(sameJson(among('{"a":1,"b":1}'), among('{"a\\"1,\\"b":1}'))).toBe(false);
  });

  it('ignores key order, whitespace and spelling', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), choices, choices, (value, one, other) => {
        expect(sameJson(spell(value, one), spell(value, other))).toBe(true);
        expect(sameJson(JSON.stringify(value), spell(value, other))).toBe(true);
      }),
    );
  });

  it('agrees with a deep comparison of values that JavaScript represents exactly', () => {
    // A small set of values, so that equal ones occur by chance.
    const { tree: few } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.constantFrom(0, 1, -1, 0.5, 1e21, '', 'a', '1', null, true),
        fc.array(tie('tree'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('tree'), { maxKeys: 2 }),
      ),
    }));
    let equal = 0;
    const compared = (a: unknown, b: unknown, one: readonly number[]): void => {
      const same = isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
      if (same) equal++;
      expect(sameJson(spell(a, one), JSON.stringify(b))).toBe(same);
    };
    fc.assert(fc.property(few, few, choices, compared));
    fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), choices, compared));
    expect(equal).toBeGreaterThan(0);
  });

  it('treats every JSON text as equal to itself with other whitespace', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(sameJson(text, ` ${text}\n`)).toBe(true);
        expect(sameJson(`[${text}]`, `[ ${text} ]`)).toBe(true);
        expect(sameJson(text, `[${text}]`)).toBe(false);
      }),
    );
  });

  it('treats invalid JSON as equal only to itself', () => {
    fc.assert(
      fc.property(almostJsonText, (text) => {
        fc.pre(findFault(text) !== undefined);
        expect(sameJson(text, text)).toBe(true);
        expect(sameJson(text, `${text} `)).toBe(false);
      }),
    );
  });

  it.each(deepTexts)(
    'compares 100,000 levels of $of',
    ({ text }) => {
      expect(sameJson(text, ` ${text} `)).toBe(true);
    },
    60_000,
  );

  it('finds a difference below 100,000 levels', () => {
    const at = (innermost: string): string => '['.repeat(100_000) + innermost + ']'.repeat(100_000);
    expect(sameJson(at('1'), at('2'))).toBe(false);
  }, 60_000);

  it('takes time linear in the size of flat containers and hostile numbers', async () => {
    const containers = (count: number) => (): void => {
      const keys = Array.from({ length: count }, (_, index) => `"k${index}":${index}`);
      expect(sameJson(`{${keys.join(',')}}`, `{${keys.toReversed().join(', ')}}`)).toBe(true);
    };
    await expectLinearGrowth({ small: containers(1000), large: containers(20_000), times: 20 });
    const numbers = (digits: number) => (): void => {
      const exponent = '9'.repeat(digits);
      expect(sameJson(`1e${exponent}`, `1.0E+${exponent}`)).toBe(true);
    };
    await expectLinearGrowth({ small: numbers(5000), large: numbers(100_000), times: 20 });
  });
});
