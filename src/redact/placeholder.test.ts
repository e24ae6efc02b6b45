import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlaceholder, kindOfName, placeholderKind, placeholderMaker } from './placeholder.ts';
import { shortSha256 } from './sha256.ts';

describe('the digest', () => {
  const expected = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 8);

  it.each([...Array(130).keys(), 1000, 100_000])('is SHA-256 of %i bytes', (length) => {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
    expect(shortSha256(bytes)).toBe(expected(bytes));
  });

  it('is SHA-256 of any bytes, also of a part of a buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(10), (bytes, from) => {
        expect(shortSha256(bytes.subarray(from))).toBe(expected(bytes.subarray(from)));
      }),
    );
  });
});

describe('a placeholder', () => {
  it('says what it hides and has eight digits of the salted value', () => {
    const digest = createHash('sha256').update('salt\0secret').digest('hex').slice(0, 8);
    expect(placeholderMaker('salt')('github-token', 'secret')).toBe(`[REDACTED:github-token:${digest}]`);
    expect(placeholderMaker(new TextEncoder().encode('salt'))('x', 'secret')).toBe(`[REDACTED:x:${digest}]`);
  });

  it('is equal for equal values of one session only', () => {
    const [here, there] = [placeholderMaker('one'), placeholderMaker('two')];
    expect(here('x', 'a')).toBe(here('x', 'a'));
    expect(here('x', 'a')).not.toBe(here('x', 'b'));
    expect(here('x', 'a')).not.toBe(there('x', 'a'));
  });

  it('is recognised, and names its kind', () => {
    expect(placeholderKind('[REDACTED:github-token:3f9a1c02]')).toBe('github-token');
    expect(isPlaceholder('[REDACTED:github-token:3f9a1c02]')).toBe(true);
  });

  it.each(['[REDACTED:x:3f9a1c0]', '[REDACTED:x:3f9a1c02] ', '[REDACTED]', '[REDACTED:X:3f9a1c02]', '', 'text'])(
    'is nothing else: %j',
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
  ])('takes the kind of a name: %s', (name, kind) => {
    expect(kindOfName(name)).toBe(kind);
  });
});
