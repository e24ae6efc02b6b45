import { describe, expect, it } from 'vitest';
import { GITHUB_TOKEN, JWT, NEAR_MISSES, PEM_LINES, SAMPLE_SECRETS } from '../../../test/support/sample-secrets.ts';
import { placeholderMaker } from '../placeholder.ts';
import { applyEdits } from '../rewrite/edits.ts';
import { DETECTORS } from './detectors.ts';
import { GivenValues } from './given-values.ts';
import { bytesMayHoldSecret, mayHoldSecret } from './secret-gate.ts';
import { findSecrets } from './secret-scan.ts';
import { StringRules } from './string-rules.ts';

const placeholder = placeholderMaker('salt');
const rules = new StringRules({ secrets: true, given: new GivenValues([]), patterns: [], placeholder });

function redact(text: string): string {
  return applyEdits(
    text,
    rules.edit(text, 'all', () => {}),
  );
}

describe('detectors of secrets in strings', () => {
  it.each(SAMPLE_SECRETS)('replaces $kind in $text and nothing around it', ({ kind, secret, text }) => {
    expect(redact(text)).toBe(text.replace(secret, () => placeholder(kind, secret)));
  });

  it.each(SAMPLE_SECRETS)('notices $kind in JSON text, escaped or not: $text', ({ text }) => {
    const literal = JSON.stringify({ text });
    expect(mayHoldSecret(literal)).toBe(true);
    expect(mayHoldSecret(` ${literal}`)).toBe(true);
    expect(mayHoldSecret(JSON.stringify(literal).replaceAll('/', String.raw`\/`))).toBe(true);
    const bytes = new TextEncoder().encode(`-${literal}-`);
    expect(bytesMayHoldSecret(bytes, 1, bytes.length - 1)).toBe(true);
  });

  it('has a sample secret for every detector', () => {
    const kinds = new Set(SAMPLE_SECRETS.map(({ kind }) => kind));
    expect(DETECTORS.map(({ kind }) => kind).filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  it.each([
    '\n',
    '"',
    "'",
    '=',
    ':',
    '/',
    '(',
    '%20',
    '\u001b[32m',
    String.raw`\n`,
    String.raw`\u001b[1;31m`,
    '>',
    'my-',
    'a_',
  ])('finds a token right after %j', (before) => {
    expect(redact(before + GITHUB_TOKEN)).toBe(before + placeholder('github-token', GITHUB_TOKEN));
    expect(mayHoldSecret(JSON.stringify(before + GITHUB_TOKEN))).toBe(true);
  });

  it('notices a secret far into a long text, also across the pieces in which the text is encoded', () => {
    for (let before = 15_000; before < 17_000; before += 97) {
      expect(mayHoldSecret(`${'\u00e9 '.repeat(before / 2)}password = hunter22`)).toBe(true);
      expect(mayHoldSecret(`${'a '.repeat(before / 2)}${GITHUB_TOKEN}`)).toBe(true);
    }
  });

  it('replaces the rest of a string with one placeholder after thousands of secrets', () => {
    const after = redact('Bearer abc12345 '.repeat(20_000));
    expect(after.match(/\[REDACTED:bearer-token/g)?.length).toBeGreaterThan(4_000);
    expect(after).toMatch(/\[REDACTED:many-secrets:[0-9a-f]{8}\]$/);
    expect(after).not.toContain('abc12345');
  });
});

describe('detectors and harmless text', () => {
  it.each(NEAR_MISSES)('keeps the harmless text %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each(['base64', 'base64url', 'hex'] as const)('keeps megabytes of random %s unchanged', (encoding) => {
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

  it('keeps a certificate and a public key in base64', () => {
    const encoded = btoa(PEM_LINES.join('\n').replaceAll('RSA PRIVATE KEY', 'CERTIFICATE'));
    expect(redact(encoded)).toBe(encoded);
    expect(redact(btoa(JWT))).not.toBe(btoa(JWT));
  });
});
