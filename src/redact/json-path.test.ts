import { describe, expect, it } from 'vitest';
import { ReelError } from '../model/errors.ts';
import { JsonPaths } from './json-path.ts';

/** Whether a path names the place that these keys and indices lead to. */
function names(path: string, place: readonly (string | number)[]): boolean {
  const paths = new JsonPaths([path]);
  let state = paths.start;
  let found = false;
  for (const key of place) {
    const arrival = paths.step(state, key);
    found = arrival.matches;
    state = arrival.state;
  }
  return found;
}

describe('a path', () => {
  it.each([
    ['$.a.b', ['a', 'b']],
    [`$['a b']["c'd"]`, ['a b', "c'd"]],
    ["$['it\\'s']", ["it's"]],
    ['$.a[0][12]', ['a', 0, 12]],
    ['$.a[*].*', ['a', 3, 'x']],
    ['$..b', ['b']],
    ['$..b', ['a', 0, 'b']],
    ['$..b', ['b', 'b']],
    ['$.a..[0]', ['a', 'b', 0]],
    ["$..['b'].c", ['a', 'b', 'c']],
    ['$..a..b', ['a', 'x', 'a', 'y', 'b']],
    ['$._meta.x-y', ['_meta', 'x-y']],
    ['$.é', ['é']],
  ] as const)('%s leads there', (path, place) => {
    expect(names(path, place)).toBe(true);
  });

  it.each([
    ['$.a.b', ['a']],
    ['$.a.b', ['a', 'b', 'c']],
    ['$.a', ['b', 'a']],
    ['$.a[0]', ['a', '0']],
    ['$..b', ['b', 'c']],
    ['$..a.b', ['a', 'x', 'b']],
  ] as const)('%s does not lead elsewhere', (path, place) => {
    expect(names(path, place)).toBe(false);
  });

  it.each([
    '',
    'a',
    '$',
    '$.',
    '$a',
    '$.a.',
    '$[',
    '$[a]',
    '$.[0]',
    '$[-1]',
    '$[1:2]',
    '$[?(@.a)]',
    "$['a]",
    '$.a b',
    '$...a',
  ])('that cannot be read is a usage error: %j', (path) => {
    expect(() => new JsonPaths([path])).toThrow(ReelError);
    expect(() => new JsonPaths([path])).toThrow(`"${path}"`);
  });
});
