import { describe, expect, it } from 'vitest';
import { messagePaths } from './message-paths.ts';

describe('messagePaths', () => {
  it('follows what it was given', () => {
    const paths = messagePaths(['$.params', '$.result.x']);
    expect(paths.step(paths.start, 'params').matches).toBe(true);
    expect(paths.step(paths.start, 'result').matches).toBe(false);
  });

  it.each([
    ['', 'it does not begin with "$"'],
    ['a', 'it does not begin with "$"'],
    ['$', 'it names the whole message'],
    ['$.a b', 'it cannot be read from character 4 on'],
  ])('takes %j for a usage error', (path, why) => {
    const error = { code: 'usage', message: `Cannot use the path "${path}": ${why}` };
    expect(() => messagePaths([path])).toThrow(expect.objectContaining(error));
  });
});
