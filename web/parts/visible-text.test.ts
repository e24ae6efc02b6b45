import { describe, expect, it } from 'vitest';
import { unseenIn, visible } from './visible-text.ts';

describe('visible', () => {
  it('shows bidi controls, terminal escapes and invisible characters as code points', () => {
    expect(visible('a\u202Eb')).toBe('a‹202E›b');
    expect(visible('\u001b[31m\u009b')).toBe('‹001B›[31m‹009B›');
    expect(visible('\u200b\u3164\u{e0041}\u{e0100}\ufe00')).toBe('‹200B›‹3164›‹E0041›‹E0100›‹FE00›');
  });

  it('leaves line breaks and text in any language unchanged', () => {
    for (const text of ['one\n\ttwo', 'שלום', 'ä 漢字 ✔\ufe0f 👍🏽']) expect(visible(text)).toBe(text);
  });
});

describe('unseenIn', () => {
  it('counts each invisible character', () => {
    expect([...unseenIn('a\u202Eb\u200b\u202e\u{e0041}\n')]).toEqual([
      ['U+202E', 2],
      ['U+200B', 1],
      ['U+E0041', 1],
    ]);
  });

  it('finds no invisible characters in ordinary text', () => {
    expect(unseenIn('{\n\t"ä": "שלום ✔\ufe0f \\u202e"\n}').size).toBe(0);
  });
});
