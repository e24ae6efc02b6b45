import { describe, expect, it } from 'vitest';
import { hex, letters } from '../../../test/support/sample-secrets.ts';
import type { NameStrength } from '../names/secret-names.ts';
import { isPlausibleSecret } from './plausibility.ts';

/** In quotes, without quotes in source code, and as the value of a setting. */
const IN_QUOTES = { quoted: true, isSetting: false };
const IN_CODE = { quoted: false, isSetting: false };
const AS_SETTING = { quoted: false, isSetting: true };

type PlausibilityCase = readonly [value: string, strength: NameStrength, setting: typeof IN_QUOTES];

const PLAUSIBLE: readonly PlausibilityCase[] = [
  ['hunter2', 'password', AS_SETTING],
  ['letmein', 'password', AS_SETTING],
  ['Password123!', 'password', AS_SETTING],
  ['correct-horse-battery', 'password', AS_SETTING],
  ['correct horse battery staple', 'password', IN_QUOTES],
  ['violet36', 'password', IN_QUOTES],
  ['12345678', 'password', AS_SETTING],
  ['p@ss,w;rd', 'password', AS_SETTING],
  ['p4ssw0rd', 'password', IN_CODE],
  ['/a+b=c9!', 'password', AS_SETTING],
  [`/${letters(38)}/`, 'secret', IN_QUOTES],
  [letters(20), 'secret', IN_CODE],
  [hex(32), 'secret', IN_QUOTES],
  ['4f2d5f4c-7b8a-4e1c-9d3a-0123456789ab', 'secret', AS_SETTING],
  ['tpvwjejqrqawviewnmqj', 'secret', IN_QUOTES],
  [letters(24), 'weak', IN_QUOTES],
  ['bWU6aHVudGVyMg==', 'weak', IN_QUOTES],
];

const IMPLAUSIBLE: readonly PlausibilityCase[] = [
  ['', 'password', AS_SETTING],
  ['abc', 'password', AS_SETTING],
  ['string', 'password', IN_CODE],
  ['null', 'secret', AS_SETTING],
  ['true', 'password', AS_SETTING],
  ['undefined', 'password', IN_CODE],
  ['<your key>', 'secret', IN_QUOTES],
  ['your-api-key-here', 'secret', AS_SETTING],
  ['changeme', 'password', AS_SETTING],
  ['xxxxxxxx', 'secret', AS_SETTING],
  ['********', 'password', AS_SETTING],
  ['sk-...abcd', 'secret', IN_QUOTES],
  ['[REDACTED]', 'password', AS_SETTING],
  ['[Filtered]', 'secret', IN_QUOTES],
  ['$TOKEN', 'secret', AS_SETTING],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference, as shells write it
  ['${TOKEN}', 'secret', IN_QUOTES],
  ['%TOKEN%', 'secret', AS_SETTING],
  ['{{ token }}', 'secret', IN_QUOTES],
  ['process.env.API_KEY2', 'secret', IN_CODE],
  ['getToken()', 'secret', IN_CODE],
  ['req.body.password', 'password', IN_CODE],
  ['hashedPassword', 'password', IN_CODE],
  ['DB_PASSWORD', 'password', IN_QUOTES],
  ['Password', 'password', IN_QUOTES],
  ['The password to use', 'password', IN_QUOTES],
  ['/run/secrets/db_password', 'password', AS_SETTING],
  ['/tmp/build-01x7', 'password', AS_SETTING],
  ['~/x9k2/q7', 'password', AS_SETTING],
  ['/home/me/work 2/a1', 'password', IN_QUOTES],
  [String.raw`C:\x9k2\build-01x7`, 'password', AS_SETTING],
  ['D:/x9k2/build-01x7', 'password', AS_SETTING],
  ['https://example.com/token', 'secret', IN_QUOTES],
  ['^12.0.0', 'password', IN_QUOTES],
  ['my-app-tls', 'secret', AS_SETTING],
  ['1000', 'secret', AS_SETTING],
  ['Uint8Array', 'secret', IN_CODE],
  [hex(40), 'weak', IN_QUOTES],
  ['ArrowLeft', 'weak', IN_QUOTES],
];

describe('isPlausibleSecret', () => {
  it.each(PLAUSIBLE)('accepts a value as a plausible secret: %s (%s)', (value, strength, setting) => {
    expect(isPlausibleSecret(value, { strength, ...setting })).toBe(true);
  });

  it.each(IMPLAUSIBLE)('rejects a value as a plausible secret: %s (%s)', (value, strength, setting) => {
    expect(isPlausibleSecret(value, { strength, ...setting })).toBe(false);
  });
});
