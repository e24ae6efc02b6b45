import { describe, expect, it } from 'vitest';
import { NEAR_MISSES, SAMPLE_SECRETS } from '../../../test/support/sample-secrets.ts';
import { placeholderMaker } from '../placeholder.ts';
import { applyEdits } from '../rewrite/edits.ts';
import { DETECTORS } from './detectors.ts';
import { GivenValues } from './given-values.ts';
import { findSecrets, mayHoldSecret } from './secret-scan.ts';
import { StringRules } from './string-rules.ts';

const placeholder = placeholderMaker('salt');
const rules = new StringRules({ secrets: true, given: new GivenValues([]), patterns: [], placeholder });

function redact(text: string): string {
  return applyEdits(
    text,
    rules.edit(text, 'all', () => {}),
  );
}

describe('a secret', () => {
  it.each(SAMPLE_SECRETS)('is replaced and nothing around it: $kind in $text', ({ kind, secret, text }) => {
    expect(redact(text)).toBe(text.replace(secret, () => placeholder(kind, secret)));
  });

  it.each(SAMPLE_SECRETS)('is noticed by the scan of JSON text: $kind in $text', ({ text }) => {
    const literal = JSON.stringify({ text });
    expect(mayHoldSecret(literal)).toBe(true);
    expect(mayHoldSecret(` ${literal}`)).toBe(true);
    expect(mayHoldSecret(JSON.stringify(literal).replaceAll('/', String.raw`\/`))).toBe(true);
  });

  it('has a sample for every detector', () => {
    const kinds = new Set(SAMPLE_SECRETS.map(({ kind }) => kind));
    const unseen = DETECTORS.map(({ kind }) => kind).filter((kind) => !kinds.has(kind));
    expect(unseen).toEqual(['headers', 'escapes']);
  });

  it.each(['\n', '"', "'", '=', ':', '/', '(', '%20', '\u001b[32m', String.raw`\n`, String.raw`\u001b[1;31m`, '>'])(
    'is found right after %j',
    (before) => {
      const { secret = '', kind = '' } = SAMPLE_SECRETS[4] ?? {};
      expect(redact(before + secret)).toBe(before + placeholder(kind, secret));
      expect(mayHoldSecret(JSON.stringify(before + secret))).toBe(true);
    },
  );
});

describe('what only looks like a secret', () => {
  it.each(NEAR_MISSES)('stays: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each(['base64', 'base64url', 'hex'] as const)('stays in megabytes of random %s', (encoding) => {
    let seed = 1;
    const next = (): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed >>> 24;
    };
    for (let i = 0; i < 4; i++) {
      const text = Buffer.from(Uint8Array.from({ length: 3 << 20 }, next)).toString(encoding);
      expect(findSecrets(text)).toEqual([]);
    }
  });
});
