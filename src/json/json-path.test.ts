import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonPaths, readPath, writeStep } from './json-path.ts';

/** Whether a path matches this list of keys and indices. */
function names(path: string, place: readonly (string | number)[]): boolean {
  const steps = readPath(path);
  if ('fault' in steps) throw new Error(`${path} cannot be read from ${steps.fault} on`);
  const paths = new JsonPaths([steps]);
  let state = paths.start;
  let found = false;
  for (const key of place) {
    const incoming = paths.step(state, key);
    found = incoming.matches;
    state = incoming.state;
  }
  return found;
}

describe('a JSON path', () => {
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
  ] as const)('%s matches its location', (path, place) => {
    expect(names(path, place)).toBe(true);
  });

  it.each([
    ['$.a.b', ['a']],
    ['$.a.b', ['a', 'b', 'c']],
    ['$.a', ['b', 'a']],
    ['$.a[0]', ['a', '0']],
    ['$..b', ['b', 'c']],
    ['$..a.b', ['a', 'x', 'b']],
  ] as const)('%s does not match another location', (path, place) => {
    expect(names(path, place)).toBe(false);
  });

  it.each([
    ['', 0],
    ['a', 0],
    ['$', 1],
    ['$.', 1],
    ['$a', 1],
    ['$.a.', 3],
    ['$[', 1],
    ['$[a]', 1],
    ['$.[0]', 1],
    ['$[-1]', 1],
    ['$[1:2]', 1],
    ['$[?(@.a)]', 1],
    ["$['a]", 1],
    ['$.a b', 3],
    ['$...a', 1],
  ])('rejects an invalid path with the offset of its first error: %j', (path, fault) => {
    expect(readPath(path)).toEqual({ fault });
  });

  it('matches the location that a path was written for, with any keys', () => {
    const key = fc.oneof(fc.string({ unit: 'binary' }), fc.nat(999_999_999));
    fc.assert(
      fc.property(fc.array(key, { minLength: 1 }), (place) => {
        expect(names(`$${place.map(writeStep).join('')}`, place)).toBe(true);
      }),
    );
  });
});
