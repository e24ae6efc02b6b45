import { describe, expect, it } from 'vitest';
import { formatUnseen } from './unseen-words.ts';

describe('formatUnseen', () => {
  it('returns an empty string for text without invisible characters', () => {
    expect(formatUnseen('{\n  "a": "\\u202e"\n}')).toBe('');
  });

  it('counts each invisible character, the most frequent first', () => {
    expect(formatUnseen('a\u200bb\u202ec\u202ed\u0001')).toBe(
      '! 4 unseen characters in it: 2 × U+202E (right-to-left override), 1 × U+200B (zero width space), 1 × U+0001.',
    );
    expect(formatUnseen('\u202e')).toContain('! 1 unseen character in it');
  });

  it('lists a limited number of kinds and counts the rest', () => {
    const many = String.fromCodePoint(...Array.from({ length: 12 }, (_, n) => 0xe0041 + n));
    expect(formatUnseen(many)).toMatch(/^! 12 unseen .*, 4 more kinds\.$/);
  });
});
