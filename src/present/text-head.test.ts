import { describe, expect, it } from 'vitest';
import { cutText, textHead } from './text-head.ts';
import { visible } from './visible-text.ts';

describe('textHead', () => {
  it('returns a text that is short enough unchanged', () => {
    expect(textHead('abc', 3)).toBe('abc');
    expect(cutText('👩', 2)).toBe('👩');
  });

  it('never ends with half a character or a joiner', () => {
    const text = 'a👨\u200d👩\u200d👧 \u0645\u06cc\u200c\u062e';
    for (let length = 0; length < text.length; length++) {
      expect(visible(textHead(text, length))).not.toContain('\\u');
      expect(text.startsWith(textHead(text, length))).toBe(true);
    }
  });

  it('marks text that was cut off', () => {
    expect(cutText('abcd', 3)).toBe('abc…');
  });
});
