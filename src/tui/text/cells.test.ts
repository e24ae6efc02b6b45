import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { fitEnd, fitted, takeCells, widthOf } from './cells.ts';
import { printable } from './printable.ts';

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', '日', '\u0301', '\u200d', '👩', '\u202e', '\u001b', '한', '\ud800', '\t', 'ｱ'),
  }),
);

describe('terminal text', () => {
  it('escapes characters that move the cursor, set colors or reverse text', () => {
    expect(printable('a\u001b[31mb')).toBe('a\\u001b[31mb');
    expect(printable('\u202eabc\u202c\u200b\ufeff')).toBe('\\u202eabc\\u202c\\u200b\\ufeff');
    expect(printable('one\ntwo\r\tthree\u2028')).toBe('one\\ntwo\\r\\tthree\\u2028');
    expect(printable('\u{e0041}\ud800x')).toBe('\\u{e0041}\\ud800x');
    expect(printable('日本 é שלום')).toBe('日本 é שלום');
  });

  it('never prints a control, format or separator character', () => {
    fc.assert(fc.property(anyText, (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(printable(text))));
  });

  it('counts wide characters as two cells and combining marks as none', () => {
    expect(widthOf('abc')).toBe(3);
    expect(widthOf('日本')).toBe(4);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('\u001b')).toBe(6);
  });

  it('splits a text into pieces no wider than requested, without loss', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, width) => {
        let at = 0;
        while (at < text.length) {
          const taken = takeCells(text, at, text.length, width);
          expect(taken.width).toBeLessThanOrEqual(width);
          expect(stringWidth(taken.text)).toBeLessThanOrEqual(width);
          expect(taken.end).toBeGreaterThan(at);
          at = taken.end;
        }
        expect(at).toBe(text.length);
      }),
    );
  });

  it('fits any text to exactly the requested width', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, width) => {
        expect(stringWidth(fitted(text, width))).toBe(width);
      }),
    );
  });

  it('marks text that was cut off', () => {
    expect(fitted('abcdef', 4)).toBe('abc…');
    expect(fitted('日本語', 4)).toBe('日… ');
    expect(fitted('abc', 5)).toBe('abc  ');
    expect(fitEnd('/home/me/trace.jsonl', 12)).toBe('…trace.jsonl');
  });

  it('limits the combining marks on one letter', () => {
    expect(fitted(`Z${'\u0301'.repeat(1000)}x`, 4).length).toBeLessThan(10);
  });
});
