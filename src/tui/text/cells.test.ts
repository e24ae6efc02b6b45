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

describe('text in cells', () => {
  it('spells out what would move, colour or turn around a terminal', () => {
    expect(printable('a\u001b[31mb')).toBe('a\\u001b[31mb');
    expect(printable('\u202eabc\u202c\u200b\ufeff')).toBe('\\u202eabc\\u202c\\u200b\\ufeff');
    expect(printable('one\ntwo\r\tthree\u2028')).toBe('one\\ntwo\\r\\tthree\\u2028');
    expect(printable('\u{e0041}\ud800x')).toBe('\\u{e0041}\\ud800x');
    expect(printable('日本 é שלום')).toBe('日本 é שלום');
  });

  it('never lets a character through that is none to be seen', () => {
    fc.assert(fc.property(anyText, (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(printable(text))));
  });

  it('counts wide characters twice and marks not at all', () => {
    expect(widthOf('abc')).toBe(3);
    expect(widthOf('日本')).toBe(4);
    expect(widthOf('e\u0301')).toBe(1);
    expect(widthOf('\u001b')).toBe(6);
  });

  it('takes a text apart into pieces that are no wider than asked for, and loses nothing', () => {
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

  it('makes any text exactly as wide as asked for', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, width) => {
        expect(stringWidth(fitted(text, width))).toBe(width);
      }),
    );
  });

  it('says that something was cut off', () => {
    expect(fitted('abcdef', 4)).toBe('abc…');
    expect(fitted('日本語', 4)).toBe('日… ');
    expect(fitted('abc', 5)).toBe('abc  ');
    expect(fitEnd('/home/me/trace.jsonl', 12)).toBe('…trace.jsonl');
  });

  it('does not let one letter with a thousand marks fill the terminal', () => {
    expect(fitted(`Z${'\u0301'.repeat(1000)}x`, 4).length).toBeLessThan(10);
  });
});
