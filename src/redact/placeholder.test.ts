import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isPlaceholder, kindOfName, placeholderKind, placeholderMaker } from './placeholder.ts';

describe('placeholders', () => {
  it('contains the kind of the secret and eight digits of its salted hash', () => {
    const digest = createHash('sha256').update('salt\0secret').digest('hex').slice(0, 8);
    expect(placeholderMaker('salt')('github-token', 'secret')).toBe(`[REDACTED:github-token:${digest}]`);
    expect(placeholderMaker(new TextEncoder().encode('salt'))('x', 'secret')).toBe(`[REDACTED:x:${digest}]`);
  });

  it.each([0, 50, 51, 58, 59, 60, 1000, 100_000])('hashes a value of %i characters in full', (length) => {
    const value = 'é'.repeat(length);
    const digest = createHash('sha256').update(`salt\0${value}`).digest('hex').slice(0, 8);
    expect(placeholderMaker('salt')('x', value)).toBe(`[REDACTED:x:${digest}]`);
  });

  it('makes equal placeholders only for equal values of the same session', () => {
    const [here, there] = [placeholderMaker('one'), placeholderMaker('two')];
    expect(here('x', 'a')).toBe(here('x', 'a'));
    expect(here('x', 'a')).not.toBe(here('x', 'b'));
    expect(here('x', 'a')).not.toBe(there('x', 'a'));
  });

  it('recognizes a placeholder and reads its kind', () => {
    expect(placeholderKind('[REDACTED:github-token:3f9a1c02]')).toBe('github-token');
    expect(isPlaceholder('[REDACTED:github-token:3f9a1c02]')).toBe(true);
  });

  it.each(['[REDACTED:x:3f9a1c0]', '[REDACTED:x:3f9a1c02] ', '[REDACTED]', '[REDACTED:X:3f9a1c02]', '', 'text'])(
    'does not recognize %j as a placeholder',
    (text) => {
      expect(isPlaceholder(text)).toBe(false);
      expect(placeholderKind(text)).toBeUndefined();
    },
  );

  it.each([
    ['apiKey', 'api-key'],
    ['API_KEY', 'api-key'],
    ['X-Api-Key', 'x-api-key'],
    ['__é__', 'key'],
    ['a'.repeat(100), 'a'.repeat(40)],
  ])('derives the kind of a placeholder from the name %s', (name, kind) => {
    expect(kindOfName(name)).toBe(kind);
  });
});
