import { describe, expect, it } from 'vitest';
import { nearWord } from './near-word.ts';

const FLAGS = ['session-file', 'trace-file', 'save-every', 'redact', 'redact-key', 'meta', 'env'];

describe('nearWord', () => {
  it.each([
    ['a letter that is missing', 'sesion-file', 'session-file'],
    ['a letter too many', 'redactt', 'redact'],
    ['another letter', 'mota', 'meta'],
    ['two letters in the wrong order', 'emta', 'meta'],
    ['the wrong case', 'Session-File', 'session-file'],
    ['no dash', 'tracefile', 'trace-file'],
    ['no more than the beginning', 'save', 'save-every'],
  ])('suggests the intended word for one with %s', (_, given, meant) => {
    expect(nearWord(given, FLAGS)).toBe(meant);
  });

  it.each(['bogus', '', 'x', 'x'.repeat(100_000)])('returns undefined if no word is close: %.20s', (given) => {
    expect(nearWord(given, FLAGS)).toBeUndefined();
  });
});
