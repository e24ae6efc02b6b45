import { describe, expect, it } from 'vitest';
import { expectLinearGrowth } from '../../test/support/growth.ts';
import { isLongRun } from '../../test/support/long-run.ts';
import { letters, SAMPLE_SECRETS } from '../../test/support/sample-secrets.ts';
import type { Entry } from '../model/entry.ts';
import { findSecrets } from './detect/secret-scan.ts';
import { compileValuePatterns } from './detect/value-pattern.ts';
import { createRedactor, type RedactOptions } from './redactor.ts';

const SMALL = isLongRun ? 1 << 15 : 1 << 13;
const LARGE = 8 * SMALL;

/** A run of characters that are valid in almost every kind of token. */
const MEGABYTES = 'a1'.repeat(isLongRun ? 6 << 20 : 1 << 19);

const repeated = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const inString = (make: (length: number) => string) => (length: number) => JSON.stringify({ x: make(length) });

const PIECES = [
  'Bearer ',
  'Bearer+token-',
  'bearer a1.',
  'Basic abcd ',
  'Authorization: ',
  'authorization: Token a ',
  'x-api-key: a1',
  'Cookie: a',
  'Cookie: a=b\n',
  'Cookie: a=b, ',
  '"set-cookie":"a=',
  '|--|--|\n',
  '|--',
  '| password | password |\n|---|---|\n',
  '| password | key |\n|---|---|\n| a1 | b2 |\n',
  'insert into a (password) values (',
  "INSERT INTO a (password) VALUES ('a1'), ",
  "INSERT INTO a (token) VALUES ('', ",
  'V5Sj',
  'leUp',
  'ZXlK',
  '"password":"',
  'password: "a',
  '\x1b[1m',
  'pat=',
  'eyJ',
  'eyJaaaaaaaaaaa-',
  'eyJhbGciOiJIUzI1NiJ9.',
  '.eyJaaaaaaaaaa',
  '://',
  '://a:',
  '://a:b@',
  '@://',
  '-----BEGIN PRIVATE KEY-----',
  `-----BEGIN PRIVATE KEY-----\n${letters(64)}\n`,
  '-----',
  'sk-',
  'sk-proj-',
  ' sk-a',
  'ghp_',
  'gho_a',
  'AKIA',
  'xoxb-',
  'glpat-',
  '?token=',
  '&state=a',
  'code=1&',
  ' api_key=a',
  'secret_access_key: ',
  '1234567:AA',
  '[REDACTED:x:00000000]',
  '=?base64?',
  '=?base64?YWJj?=',
  'given-value',
  '&token=a',
  'Bearer abc123 ',
  'token=',
  'key=',
  "password='a ",
  'password="x1y2z3w4 ',
  'api_key: "',
  'secret:\n',
  '|token',
  '<password>',
  '-ghp_a',
  'mysql ',
  'kind: Secret\n',
  'kind: Secret\ndata:\n  a: YWJjZA==\n---\n',
  '"value":"x","name":"password",',
  'identified by ',
  'curl -u a',
  'token: |\n  a\n',
  '\\u0041',
  '\\n',
  '{"a":',
  '"',
  'a',
  ' ',
];

const TEXTS: readonly (readonly [string, (length: number) => string])[] = [
  ...PIECES.map((piece) => [`a string of ${JSON.stringify(piece)}`, inString(repeated(piece))] as const),
  ['JSON in a string', inString((length) => `[${repeated('"Bearer abc12345",')(length)}1]`)],
  ['a string of escapes', (length) => `["${repeated('\\u0042earer\\u0020')(length - (length % 18))}"]`],
  ['deep nesting', (length) => `${'[{"a":'.repeat(length / 12)}"Bearer abc12345"${'}]'.repeat(length / 12)}`],
  ['many elements', (length) => `[${repeated('"eyJ",1,')(length - (length % 8))}1]`],
  ['many secrets', (length) => `[${repeated('"Bearer abc12345",')(length - (length % 18))}1]`],
  ['many headers', (length) => `{"headers":[${repeated('{"value":"x","value":"y"},')(length - (length % 26))}1]}`],
  [
    'one object of header values',
    (length) => `{"headers":[{${repeated('"value":"x",')(length - (length % 12))}"v":1}]}`,
  ],
  ['text that is no JSON', repeated('{"a":"Bearer ')],
];

function textEntry(text: string): Entry {
  return { kind: 'other', type: undefined, atMs: 0, text };
}

function expectLinear(options: RedactOptions, make: (length: number) => string): Promise<void> {
  const redact = (text: string) => () => createRedactor(options).entry(textEntry(text));
  return expectLinearGrowth({ small: redact(make(SMALL)), large: redact(make(LARGE)), times: LARGE / SMALL });
}

describe('time and memory of redaction', () => {
  const options: RedactOptions = {
    mode: 'strict',
    salt: 'salt',
    keys: ['secret'],
    paths: ['$..x.y', '$.a..b'],
    exactValues: ['given-value'],
  };

  it.each(TEXTS)('redacts %s in time proportional to its length', async (_, make) => {
    await expectLinear(options, make);
  });

  it("applies a user's pattern that matches repeatedly in time proportional to the text", async () => {
    const patterns = await compileValuePatterns(['a(?:.*b)?']);
    const ofLength = (length: number) => `["${'a'.repeat(length / 32)}"]`;
    await expectLinear({ mode: 'off', salt: 'salt', patterns }, ofLength);
  });

  it.each([
    ['deep', `${'[{"a":'.repeat(100_000)}"Bearer abc12345"${'}]'.repeat(100_000)}`],
    ['wide', `["Bearer abc12345"${',"eyJ"'.repeat(1_000_000)}]`],
  ])('redacts a very %s text without an overflow', (_, text) => {
    const redactor = createRedactor({ ...options, onRemoved: () => {} });
    const entry = redactor.entry(textEntry(text));
    expect(entry.kind === 'other' && entry.text.length).toBe(
      text.length - 8 + '[REDACTED:bearer-token:00000000]'.length,
    );
  });

  it.each(SAMPLE_SECRETS.filter(({ text, secret }) => text === secret))(
    'finds a secret that is followed by megabytes of characters, without an overflow: $kind',
    ({ text }) => {
      expect(() => findSecrets(text + MEGABYTES)).not.toThrow();
    },
  );

  it('redacts the lines of a private key without an end in time proportional to their number', () => {
    const redactor = createRedactor(options);
    const line = JSON.stringify({ text: `-----BEGIN PRIVATE KEY-----\n${letters(64)}` });
    for (let i = 0; i < 10_000; i++) redactor.entry({ kind: 'event', event: 'stdio.stderr', atMs: 0, raw: line });
    expect(redactor.removed.get('private-key')).toBeGreaterThan(0);
  });
});
