import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { NEEDED, UNSEEN } from '../../test/support/unseen-characters.ts';
import { cutEnd, cutStart, fitted, takeColumns, widthOf } from './columns.ts';

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', '日', '\u0301', '\u200d', '👩', '\u202e', '\u001b', '한', '\ud800', '\t', 'ｱ'),
  }),
);

describe('terminal text', () => {
  it.each(Object.entries(UNSEEN))('shows %s as an escape, counted in columns', (_, char) => {
    const shown = cutEnd(`a${char}b`, 40);
    expect(shown).toMatch(/^[ -~]+$/);
    expect(shown.length).toBe(widthOf(`a${char}b`));
  });

  it.each(Object.entries(NEEDED))('shows %s unchanged, in rows of any width', (_, text) => {
    const whole = text.repeat(5);
    for (let width = 2; width < 20; width++) {
      let shown = '';
      for (let at = 0; at < whole.length; ) {
        const taken = takeColumns(whole, at, whole.length, width);
        const again = takeColumns(taken.text, 0, taken.text.length, width, true);
        expect(again.text).toBe(taken.text);
        shown += taken.text;
        at = taken.end;
      }
      expect(shown).toBe(whole);
    }
    expect(cutEnd(text, 1000)).toBe(text);
    expect(cutStart(text, 1000)).toBe(text);
  });

  it('counts an emoji of several characters as two columns', () => {
    expect(widthOf('👨\u200d👩\u200d👧\u200d👦')).toBe(2);
    expect(widthOf('👩🏽\u200d❤\ufe0f\u200d💋\u200d👨🏻🏴󠁧󠁢󠁳󠁣󠁴󠁿1\ufe0f\u20e3')).toBe(6);
  });

  it('counts wide characters as two columns and combining marks as none', () => {
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
          const taken = takeColumns(text, at, text.length, width);
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

  it('shows each escape in full, on the next row if it does not fit', () => {
    const text = `a${'\u{e0041}'.repeat(3)}b\u034fc\u202e`;
    const whole = 'a\\udb40\\udc41\\udb40\\udc41\\udb40\\udc41b\\u034fc\\u202e';
    for (let width = 12; width < 60; width++) {
      let shown = '';
      for (let at = 0; at < text.length; ) {
        const taken = takeColumns(text, at, text.length, width);
        shown += taken.text;
        at = taken.end;
      }
      expect(shown).toBe(whole);
    }
  });

  it('cuts before an escape that does not fit', () => {
    expect(cutEnd('\u202eabc', 4)).toBe('…');
    expect(cutEnd('ab\u202ecd', 6)).toBe('ab…');
    expect(takeColumns('\u202eabc', 0, 4, 4)).toEqual({ text: '…', width: 1, end: 1, isTooWide: true });
  });

  it('marks text that was cut off', () => {
    expect(fitted('abcdef', 4)).toBe('abc…');
    expect(fitted('日本語', 4)).toBe('日… ');
    expect(fitted('abc', 5)).toBe('abc  ');
    expect(cutStart('/home/me/trace.jsonl', 12)).toBe('…trace.jsonl');
  });

  it('limits the combining marks on one letter', () => {
    expect(fitted(`Z${'\u0301'.repeat(1000)}x`, 4).length).toBeLessThan(10);
  });
});
