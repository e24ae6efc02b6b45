import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString, choices, deepTexts, jsonText, spell } from '../../test/support/sample-texts.ts';
import { type JsonPath, locate, removeAt, sliceAt, spliceAt } from './splice.ts';

const message = '{ "id" : 12345678901234567890,\n  "params":{"list":[1.0, {"k":"v"} ],"empty":{ }} }';

/** Every path into a value, starting with the empty one. */
function pathsInto(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const steps = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return [path, ...steps.flatMap((step) => pathsInto(valueAt(value, [step]), [...path, step]))];
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce((inner, step) => (inner as Record<string | number, unknown>)[step], value);
}

/** The parsed value of a text, with another value at a path. */
function parseWith(text: string, path: JsonPath, value: unknown): unknown {
  const whole: unknown = JSON.parse(text);
  const last = path.at(-1);
  if (last === undefined) return value;
  // Not an assignment, because `__proto__` is an ordinary key here.
  Object.defineProperty(valueAt(whole, path.slice(0, -1)), last, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return whole;
}

describe('sliceAt', () => {
  it('returns the exact text of the value at a path', () => {
    expect(sliceAt(message, ['id'])).toBe('12345678901234567890');
    expect(sliceAt(message, ['params', 'list'])).toBe('[1.0, {"k":"v"} ]');
    expect(sliceAt(message, ['params', 'list', 0])).toBe('1.0');
    expect(sliceAt(message, ['params', 'list', 1, 'k'])).toBe('"v"');
    expect(sliceAt(message, ['params', 'empty'])).toBe('{ }');
    expect(sliceAt(' [1e400] ', [0])).toBe('1e400');
  });

  it('returns the whole document for the empty path', () => {
    expect(sliceAt(' [1] ', [])).toBe('[1]');
    expect(sliceAt('1.0', [])).toBe('1.0');
  });

  it.each<{ path: JsonPath }>([
    { path: ['missing'] },
    { path: ['id', 'x'] },
    { path: ['id', 0] },
    { path: [0] },
    { path: ['params', 'list', 2] },
    { path: ['params', 'list', -1] },
    { path: ['params', 'list', '0'] },
    { path: ['params', 'list', 'length'] },
    { path: ['params', 'list', 0.5] },
    { path: ['params', 'empty', 'x'] },
    { path: ['params', 0] },
    { path: ['constructor'] },
    { path: ['__proto__'] },
  ])('returns undefined if $path does not exist', ({ path }) => {
    expect(sliceAt(message, path)).toBeUndefined();
    expect(locate(message, path)).toBeUndefined();
  });

  it('resolves escaped keys, the last of duplicate keys and __proto__', () => {
    expect(sliceAt('{"\\u0061":{"b":1}}', ['a', 'b'])).toBe('1');
    expect(sliceAt('{"a":{"b":1},"a":{"b":2}}', ['a', 'b'])).toBe('2');
    expect(sliceAt('{"a":{"b":1},"a":{"c":2}}', ['a', 'b'])).toBeUndefined();
    expect(sliceAt('{"a":{"b":1},"a":[]}', ['a', 'b'])).toBeUndefined();
    expect(sliceAt('{"a":{"b":1},"a":3}', ['a', 'b'])).toBeUndefined();
    expect(sliceAt('{"__proto__":{"x":1}}', ['__proto__', 'x'])).toBe('1');
  });

  it('returns undefined for invalid JSON', () => {
    expect(sliceAt('{"a":1', ['a'])).toBeUndefined();
    expect(sliceAt('{"a":1,}', ['a'])).toBeUndefined();
    expect(sliceAt('{"a":1} x', ['a'])).toBeUndefined();
    expect(sliceAt('', [])).toBeUndefined();
  });

  it('agrees with JSON.parse on every path into any text', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const whole: unknown = JSON.parse(text);
        for (const path of pathsInto(whole)) {
          const found = sliceAt(text, path);
          expect(found).toBeDefined();
          expect(JSON.parse(found ?? '')).toEqual(valueAt(whole, path));
        }
      }),
    );
  });
});

describe('spliceAt', () => {
  it('replaces a value and keeps every other character', () => {
    expect(spliceAt(message, ['id'], '1')).toBe(message.replace('12345678901234567890', '1'));
    expect(spliceAt(message, ['params', 'list', 0], '1.00')).toBe(message.replace('1.0', '1.00'));
    expect(spliceAt(' [1] ', [], '2')).toBe(' 2 ');
  });

  it('adds a missing key after the last member', () => {
    expect(spliceAt('{"a":1 }', ['b'], '2.0')).toBe('{"a":1,"b":2.0 }');
    expect(spliceAt('{"a":{"x":1},"b":2}', ['a', 'y'], '[]')).toBe('{"a":{"x":1,"y":[]},"b":2}');
    expect(spliceAt('[{"x":1}]', [0, 'y"'], '2')).toBe('[{"x":1,"y\\"":2}]');
    expect(spliceAt('{"a":1}', ['__proto__'], '2')).toBe('{"a":1,"__proto__":2}');
  });

  it('adds a key to an empty object', () => {
    expect(spliceAt('{}', ['a'], '1')).toBe('{"a":1}');
    expect(spliceAt(' { } ', ['a'], '1')).toBe(' {"a":1 } ');
    expect(spliceAt(message, ['params', 'empty', 'a'], '1')).toBe(message.replace('{ }', '{"a":1 }'));
  });

  it('replaces the last of duplicate keys, which is the effective one', () => {
    expect(spliceAt('{"a":1,"a":2}', ['a'], '3')).toBe('{"a":1,"a":3}');
  });

  it('does nothing if the path does not exist', () => {
    expect(spliceAt(message, ['missing', 'x'], '1')).toBeUndefined();
    expect(spliceAt(message, ['id', 'x'], '1')).toBeUndefined();
    expect(spliceAt(message, ['params', 'list', 2], '1')).toBeUndefined();
    expect(spliceAt(message, ['params', 'list', 'x'], '1')).toBeUndefined();
    expect(spliceAt('[]', ['x'], '1')).toBeUndefined();
    expect(spliceAt('{"a":1', ['a'], '1')).toBeUndefined();
    expect(spliceAt('{"a":1', ['b'], '1')).toBeUndefined();
  });

  it('sets the value at any path of any text and keeps all other characters', () => {
    fc.assert(
      fc.property(jsonText, fc.nat(), jsonText, (text, where, value) => {
        const paths = pathsInto(JSON.parse(text));
        const path = paths[where % paths.length] ?? [];
        const span = locate(text, path);
        const changed = spliceAt(text, path, value);
        expect(changed).toBe(text.slice(0, span?.start) + value + text.slice(span?.end));
        expect(JSON.parse(changed ?? '')).toEqual(parseWith(text, path, JSON.parse(value)));
      }),
    );
  });

  it('adds any missing key to any object by inserting characters in one place', () => {
    fc.assert(
      fc.property(jsonText, fc.nat(), anyString, jsonText, (text, where, key, value) => {
        const whole: unknown = JSON.parse(text);
        const objects = pathsInto(whole).filter((path) => {
          const inner = valueAt(whole, path);
          return typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !Object.hasOwn(inner, key);
        });
        fc.pre(objects.length > 0);
        const path = [...(objects[where % objects.length] ?? []), key];
        const changed = spliceAt(text, path, value) ?? '';
        expect(JSON.parse(changed)).toEqual(parseWith(text, path, JSON.parse(value)));
        expectOneGap(changed, text);
      }),
    );
  });
});

/** Expects the shorter text to be the longer one without one run of characters. */
function expectOneGap(longer: string, shorter: string): void {
  let start = 0;
  while (start < shorter.length && shorter[start] === longer[start]) start++;
  expect(longer.endsWith(shorter.slice(start))).toBe(true);
}

describe('removeAt', () => {
  const three = '{ "a" : 1 , "b" : 2 , "c" : 3 }';

  it('removes the first, a middle and the last member with one comma each', () => {
    expect(removeAt(three, ['a'])).toBe('{ "b" : 2 , "c" : 3 }');
    expect(removeAt(three, ['b'])).toBe('{ "a" : 1 , "c" : 3 }');
    expect(removeAt(three, ['c'])).toBe('{ "a" : 1 , "b" : 2 }');
  });

  it('removes the only member', () => {
    expect(removeAt('{"a":1}', ['a'])).toBe('{}');
    expect(removeAt('[{ "a" : 1 }]', [0, 'a'])).toBe('[{  }]');
  });

  it('removes all of duplicate keys, because another one would count if only the last were removed', () => {
    expect(removeAt('{"a":1,"b":0,"a":2}', ['a'])).toBe('{"b":0}');
    expect(removeAt('{ "b":0 , "a":1 ,  "a":2 ,   "c":3 , "a":4 }', ['a'])).toBe('{ "b":0 , "c":3 }');
    expect(removeAt('[{ "a":1, "a":2 }]', [0, 'a'])).toBe('[{  }]');
  });

  it('does nothing if the member does not exist', () => {
    expect(removeAt(three, ['d'])).toBeUndefined();
    expect(removeAt(three, [])).toBeUndefined();
    expect(removeAt(three, ['a', 'x'])).toBeUndefined();
    expect(removeAt('[1]', [0])).toBeUndefined();
    expect(removeAt('{}', ['a'])).toBeUndefined();
    expect(removeAt('{"a":1', ['a'])).toBeUndefined();
  });

  it('removes any member of any text by deleting characters in one place', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), choices, fc.nat(), (value, choose, where) => {
        const text = spell(value, choose);
        const paths = pathsInto(value).filter((path) => typeof path.at(-1) === 'string');
        fc.pre(paths.length > 0);
        const path = paths[where % paths.length] ?? [];
        const expected: unknown = JSON.parse(text);
        Reflect.deleteProperty(valueAt(expected, path.slice(0, -1)) as object, path.at(-1) ?? '');
        const changed = removeAt(text, path) ?? '';
        expect(JSON.parse(changed)).toEqual(expected);
        expect(sliceAt(changed, path)).toBeUndefined();
        expectOneGap(text, changed);
      }),
    );
  });
});

describe('paths in deeply nested JSON', () => {
  it.each(deepTexts)(
    'skips 100,000 levels of $of outside the path',
    ({ text }) => {
      const whole = `{"deep":${text},"id":1}`;
      expect(sliceAt(whole, ['id'])).toBe('1');
      expect(sliceAt(whole, ['deep']) === text).toBe(true);
      expect(spliceAt(whole, ['id'], '2') === `{"deep":${text},"id":2}`).toBe(true);
      expect(spliceAt(whole, ['new'], '2') === `{"deep":${text},"id":1,"new":2}`).toBe(true);
      expect(removeAt(whole, ['deep'])).toBe('{"id":1}');
    },
    60_000,
  );

  it.each(deepTexts)(
    'reaches the innermost value through 100,000 levels of $of',
    ({ text, path }) => {
      const innermost = sliceAt(text, path);
      expect(['[]', '1', '"x"']).toContain(innermost);
      const changed = spliceAt(text, path, '{"new":0}') ?? '';
      expect(changed.length).toBe(text.length - (innermost?.length ?? 0) + 9);
      expect(sliceAt(changed, [...path, 'new'])).toBe('0');
      expect(removeAt(changed, [...path, 'new']) === changed.replace('"new":0', '')).toBe(true);
    },
    60_000,
  );
});
