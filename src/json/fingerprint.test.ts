import { describe, expect, it } from 'vitest';
import { fingerprint } from './fingerprint.ts';

describe('fingerprint', () => {
  it('distinguishes hundreds of thousands of similar texts', () => {
    const numbers = new Set<number>();
    for (let n = 0; n < 100_000; n++) {
      for (const text of [`${n}`, `[${n},${n + 1}`, `{"a"${n}`]) numbers.add(fingerprint(text));
    }
    expect(numbers.size).toBe(300_000);
  });

  it('returns a safe integer for every text', () => {
    for (const text of ['', 'a', '\uffff'.repeat(1000)]) expect(fingerprint(text)).toSatisfy(Number.isSafeInteger);
  });

  it('returns the same value for equal texts, regardless of how they were built', () => {
    expect(fingerprint('abc'.repeat(2))).toBe(fingerprint('abcabc'));
    expect(fingerprint('a')).not.toBe(fingerprint('a\0'));
  });
});
