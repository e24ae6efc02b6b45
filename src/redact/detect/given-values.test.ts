import { describe, expect, it } from 'vitest';
import { GITHUB_TOKEN, hex, letters } from '../../../test/support/sample-secrets.ts';
import { GivenValues, secretsAmong } from './given-values.ts';

describe('variables and headers that the user passes', () => {
  it.each([
    ['API_KEY', 'plainword'],
    ['DB_PASSWORD', 'hunter2'],
    ['X-Api-Key', 'tiny-key'],
    ['Authorization', `Bearer ${letters(20)}`],
    ['Cookie', 'sid=abcdef123'],
    ['AWS_SECRET_ACCESS_KEY', `/${letters(38)}/`],
    ['PLAIN_NAME', GITHUB_TOKEN],
    ['PLAIN_NAME', letters(24)],
    ['X-Custom', hex(32)],
  ])('treats a variable or header as secret by its name or its value: %s %s', (name, value) => {
    expect(secretsAmong({ given: [[name, value]], env: {} })).toEqual([value]);
  });

  it.each([
    ['Accept', 'application/json'],
    ['User-Agent', 'example-client/1.2.3'],
    ['MCP-Protocol-Version', '2025-11-25'],
    ['NODE_ENV', 'production'],
    ['LOG_LEVEL', 'verbose'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/home/me/keys/service.json'],
    ['KEYBOARD', 'us-international'],
    ['API_URL', 'https://api.example.com/v1'],
    ['ACCESS_TOKEN', '<your token>'],
  ])('does not treat a harmless variable or header as secret: %s %s', (name, value) => {
    expect(secretsAmong({ given: [[name, value]], env: {} })).toEqual([]);
  });

  it('extracts the password from a variable whose value is a URL', () => {
    const given = [['DATABASE_URL', 'postgres://me:hunter22@db.example.com/app']] as const;
    expect(secretsAmong({ given, env: {} })).toEqual(['hunter22']);
  });
});

describe('inherited environment variables', () => {
  it.each([
    ['GITHUB_TOKEN', letters(30)],
    ['DB_PASSWORD', 'correct-Horse-7'],
    ['PWD', 'p4ssw0rd'],
    ['AWS_SECRET_ACCESS_KEY', `/${letters(38)}+`],
    ['SMTP_PASSWORD', 'two words 4 you!'],
  ])('treats an inherited variable as secret: %s %s', (name, value) => {
    expect(secretsAmong({ given: [], env: { [name]: value } })).toEqual([value]);
  });

  it.each([
    ['DB_PASSWORD', 'test'],
    ['PWD', '/tmp/build-01x7'],
    ['OLDPWD', '/home/me/work (copy 2)/a1'],
    ['OLDPWD', String.raw`C:\Users\me\build-01x7`],
    ['SSH_AUTH_SOCK', '/tmp/ssh-XXabc123def/agent.4242'],
    ['SUDO_ASKPASS', '/usr/lib/ssh/x11-ssh-askpass1'],
    ['PLAIN_NAME', letters(30)],
    ['npm_config_auth_type', 'legacy'],
  ])('does not treat an inherited variable as secret: %s %s', (name, value) => {
    expect(secretsAmong({ given: [], env: { [name]: value } })).toEqual([]);
  });
});

describe('the spellings of a given value', () => {
  const values = [
    'Tang0-Wall!spring(77)',
    "it's~Gr8*Value 9x",
    'пароль-ключ-Ёж42',
    'ab"cd9Ef\\gh7Kq',
    'a<b>/c&d"9\u{1f511}',
  ];
  const code = (c: string) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`;
  const unicode = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const quoted = (value: string) => JSON.stringify(value).slice(1, -1);
  const encodings: readonly (readonly [string, (value: string) => string])[] = [
    ['none', (value) => value],
    ['encodeURIComponent', encodeURIComponent],
    ['a form', (value) => new URLSearchParams({ a: value }).toString().slice(2)],
    [
      'a form as Python writes it',
      (value) =>
        encodeURIComponent(value)
          .replaceAll(/[!'()*]/g, code)
          .replaceAll('%20', '+'),
    ],
    [
      'a path as Python writes it',
      (value) =>
        encodeURIComponent(value)
          .replaceAll(/[!'()*]/g, code)
          .replaceAll('%2F', '/'),
    ],
    ['JSON', quoted],
    ['JSON in JSON', (value) => quoted(quoted(value))],
    ['JSON in JSON in JSON', (value) => quoted(quoted(quoted(value)))],
    ['JSON in ASCII', (value) => quoted(value).replaceAll(/[\x80-\uffff]/g, unicode)],
    ['JSON in ASCII in JSON', (value) => quoted(quoted(value).replaceAll(/[\x80-\uffff]/g, unicode))],
    [
      'HTML',
      (value) =>
        value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ],
  ];

  it.each(encodings)('finds given values whole in this encoding: %s', (_, encode) => {
    for (const value of values) {
      const text = `seen ${encode(value)} here`;
      const given = new GivenValues([value]);
      expect(given.orSecretMayBeIn(JSON.stringify(text))).toBe(true);
      expect(given.find(text).map(({ start, end }) => text.slice(start, end))).toEqual([encode(value)]);
    }
  });
});
