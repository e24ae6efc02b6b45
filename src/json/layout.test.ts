import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { almostJsonText, choices, deepTexts, jsonText, spell } from '../../test/support/sample-texts.ts';
import { compact, onOneLine, pretty } from './layout.ts';
import { findFault } from './scan.ts';
import { forEachToken } from './tokens.ts';

function lexemes(text: string): string[] {
  const found: string[] = [];
  forEachToken(text, (_kind, start, end) => found.push(text.slice(start, end)));
  return found;
}

const exotic = ' { "b" : 1.0 , "a":[ 1e400,12345678901234567890 ],\r\n"a" : "\\u0061 \\/ " , "e":{ } , "f":[\t] } ';

describe('compact', () => {
  it('removes only the whitespace between tokens', () => {
    expect(compact(exotic)).toBe('{"b":1.0,"a":[1e400,12345678901234567890],"a":"\\u0061 \\/ ","e":{},"f":[]}');
  });

  it('equals the output of JSON.stringify for any value, regardless of its layout', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(compact(JSON.stringify(value, null, 3))).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('pretty', () => {
  it('adds line breaks and indentation and changes nothing else', () => {
    expect(pretty(exotic)).toBe(`{
  "b": 1.0,
  "a": [
    1e400,
    12345678901234567890
  ],
  "a": "\\u0061 \\/ ",
  "e": {},
  "f": []
}`);
  });

  it('uses the given indentation, and a margin for every line after the first', () => {
    expect(pretty('{"a":[1]}', '\t', '> ')).toBe('{\n> \t"a": [\n> \t\t1\n> \t]\n> }');
  });

  it('equals the output of JSON.stringify for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(pretty(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('leaves values below 64 levels on one line', () => {
    const lines = pretty(`${'['.repeat(70)}1,{"a":2}${']'.repeat(70)}`).split('\n');
    expect(lines).toHaveLength(129);
    expect(lines[63]).toBe(`${' '.repeat(126)}[`);
    expect(lines[64]).toBe(`${' '.repeat(128)}[[[[[[1,{"a": 2}]]]]]]`);
    expect(lines[65]).toBe(`${' '.repeat(126)}]`);
  });
});

describe('both layouts', () => {
  it('keeps every lexeme of any JSON text, and each layout reverses the other', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(compact(pretty(text))).toBe(compact(text));
        expect(pretty(compact(text))).toBe(pretty(text));
        expect(lexemes(pretty(text))).toEqual(lexemes(text));
        expect(lexemes(compact(text))).toEqual(lexemes(text));
        expect(compact(text)).toBe(lexemes(text).join(''));
        expect(JSON.parse(pretty(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['', ' ', '{ "a": 1, }', '[ 1 2 ]', '{ "a" : 1 } x', '\ufeff[ 1 ]', '[ 01 ]'])(
    'returns the invalid JSON %j unchanged',
    (text) => {
      expect(compact(text)).toBe(text);
      expect(pretty(text)).toBe(text);
    },
  );

  it('returns any invalid JSON unchanged', () => {
    fc.assert(
      fc.property(almostJsonText, (text) => {
        fc.pre(findFault(text) !== undefined);
        expect(compact(text)).toBe(text);
        expect(pretty(text)).toBe(text);
      }),
    );
  });

  it.each(deepTexts)('formats 100,000 levels of $of', ({ text }) => {
    const small = compact(text);
    expect(small).toBe(text.replaceAll(' ', ''));
    expect(compact(pretty(text, '')) === small).toBe(true);
    expect(pretty(text).length).toBeLessThan(2 * text.length + 20_000);
  });
});

describe('onOneLine', () => {
  it('replaces each line break between tokens with one space', () => {
    expect(onOneLine('{\r\n  "a": 1,\n"b":\r2\n}')).toBe('{   "a": 1, "b": 2 }');
  });

  it('returns a text without line breaks unchanged', () => {
    expect(onOneLine('{ "a\\n" : "\u2028" }\t')).toBe('{ "a\\n" : "\u2028" }\t');
  });

  it('also removes the line breaks of invalid JSON', () => {
    expect(onOneLine('not\r\n"JSON\n"')).toBe('not "JSON "');
  });

  it('puts any JSON text on one line without changing a lexeme', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          jsonText,
          fc.tuple(fc.jsonValue(), choices).map(([value, choose]) => spell(value, choose)),
        ),
        (text) => {
          expect(onOneLine(text)).not.toMatch(/[\r\n]/);
          expect(lexemes(onOneLine(text))).toEqual(lexemes(text));
        },
      ),
    );
  });

  it.each(deepTexts)('joins 100,000 levels of $of', ({ text }) => {
    expect(onOneLine(text.replaceAll(' ', '\n')) === text).toBe(true);
  });
});
