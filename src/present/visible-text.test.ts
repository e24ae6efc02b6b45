import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinearGrowth } from '../../test/support/growth.ts';
import { MISPLACED, NEEDED, UNSEEN } from '../../test/support/unseen-characters.ts';
import { oneLine, oneLinePart, unseenIn, visible } from './visible-text.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('a', '\u0645', '\u094d', '\u200c', '\u200d', '👩', '\ufe0f', '\ud83c', '\u{e0067}'),
  }),
);

describe('visible', () => {
  it.each(Object.entries(UNSEEN))('escapes the invisible character %s', (_, char) => {
    const escaped = oneLine(char);
    expect(escaped).toMatch(/^(?:\\u[0-9a-f]{4}|\\r){1,2}$/);
    expect(visible(`a${char}b`)).toBe(`a${escaped}b`);
    expect(visible(char + char)).toBe(escaped + escaped);
  });

  it.each(Object.entries(MISPLACED))('escapes %s where it is misplaced', (_, [text, escaped]) => {
    expect(visible(text)).toContain(escaped);
    expect(visible(text)).toHaveLength(text.length - escaped.length / 6 + escaped.length);
  });

  it.each(Object.entries(NEEDED))('leaves %s unchanged', (_, text) => {
    expect(visible(text)).toBe(text);
    expect(oneLine(text)).toBe(text);
    expect(unseenIn(text).size).toBe(0);
  });

  it('keeps line breaks and tabs, which one line escapes', () => {
    expect(visible('one\n\ttwo')).toBe('one\n\ttwo');
    expect(oneLine('one\n\ttwo')).toBe('one\\n\\ttwo');
  });

  it('changes no JSON text in meaning', () => {
    const text = JSON.stringify(Object.values(UNSEEN).join('x'));
    expect(JSON.parse(visible(text))).toBe(JSON.parse(text));
  });

  it('escapes the parts of a text as it escapes the whole', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, cut) => {
        const characters = [...text];
        const at = characters.slice(0, cut % (characters.length + 1)).join('').length;
        expect(oneLinePart(text, 0, at) + oneLinePart(text, at, text.length)).toBe(oneLine(text));
      }),
    );
  });

  it('changes nothing when it is applied again', () => {
    fc.assert(fc.property(anyText, (text) => visible(visible(text)) === visible(text)));
  });

  it.each(['\u200d', '\u0645\u200c', '👩\u200d', '\u{1f3f4}\u{e0067}'])(
    'takes time in proportion to the length of a text of %j',
    async (unit) => {
      const [small, large] = [unit.repeat(2000), unit.repeat(100_000)];
      await expectLinearGrowth({ small: () => visible(small), large: () => visible(large), times: 50 });
    },
  );
});

describe('unseenIn', () => {
  it('counts each invisible character', () => {
    expect([...unseenIn('a\u202Eb\u200b\u202e\u{e0041}\n')]).toEqual([
      ['U+202E', 2],
      ['U+200B', 1],
      ['U+E0041', 1],
    ]);
  });
});
