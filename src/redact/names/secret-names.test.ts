import { describe, expect, it } from 'vitest';
import { strengthOfName } from './secret-names.ts';

describe('strengthOfName', () => {
  it.each([
    [
      'password',
      'PGPASSWORD',
      'MYSQL_ROOT_PASSWORD',
      'db.password',
      'spring.datasource.password',
      'smtp_pass',
      'DB_PASSWORD_PROD',
      'password2',
    ],
    [
      'secret',
      'API_KEY',
      'apiKey',
      'github_token',
      'clientSecret',
      'refreshToken',
      'SECRET_KEY_BASE',
      'client-key-data',
      'AWS_SECRET_ACCESS_KEY',
      'x-api-key',
      '_authToken',
      'AccountKey',
      'code_verifier',
      'userToken',
    ],
    ['weak', 'key', 'auth', 'acme_key', 'signature'],
  ] as const)('rates names of secrets as %s', (strength, ...names) => {
    for (const name of names) expect(strengthOfName(name), name).toBe(strength);
  });

  it.each([
    'nextPageToken',
    'progressToken',
    'maxTokens',
    'primary_key',
    'publicKey',
    'secretName',
    'token_url',
    'passwordHash',
    'PASSWORD_FILE',
    'keyboard',
    'monkey',
    'author',
    'sessionId',
    'x'.repeat(200),
  ])('gives the name %s no strength', (name) => {
    expect(strengthOfName(name)).toBeUndefined();
  });
});
