import { describe, expect, it } from 'vitest';
import { messagePaths } from './message-paths.ts';

describe('messagePaths', () => {
  it('matches the paths that it was given, and no others', () => {
    const paths = messagePaths(['$.params', '$.result.x']);
    expect(paths.step(paths.start, 'params').matches).toBe(true);
    expect(paths.step(paths.start, 'result').matches).toBe(false);
  });

  it.each([
    ['', 'it does not start with "$"'],
    ['a', 'it does not start with "$"'],
    ['$', 'it selects the whole message'],
    ['$.a b', 'invalid from character 4 on'],
  ])('rejects %j with a usage error', (path, why) => {
    const error = { code: 'usage', message: `Cannot use the path "${path}": ${why}` };
    expect(() => messagePaths([path])).toThrow(expect.objectContaining(error));
  });
});
