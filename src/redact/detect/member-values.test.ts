import { describe, expect, it } from 'vitest';
import { findInContainer } from './member-values.ts';

describe('findInContainer', () => {
  it.each(['passwords', 'tokens', 'secrets', 'api_keys', 'accessTokens', 'token'])(
    'takes whatever is below %s',
    (name) => {
      expect(findInContainer(name)).toBeDefined();
    },
  );

  it.each(['passes', 'maxTokens', 'keys', 'items', 's'])('leaves what is below %s', (name) => {
    expect(findInContainer(name)).toBeUndefined();
  });
});
