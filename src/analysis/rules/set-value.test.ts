import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { almostJsonText, deepTexts, hasKeyTwice, jsonText } from '../../../test/support/sample-texts.ts';
import { type PathSteps, readPath, writeStep } from '../../json/json-path.ts';
import { findFault } from '../../json/scan.ts';
import { type JsonPath, spliceAt } from '../../json/splice.ts';
import { setAt } from './set-value.ts';

function steps(path: string): PathSteps {
  const read = readPath(path);
  if ('fault' in read) throw new Error(`No path: ${path}`);
  return read;
}

function set(path: string, value: string, text: string): string {
  return setAt(steps(path), value)(text);
}

/** The paths of all values in a document, except its root. */
function pathsOf(value: unknown): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [];
  const children: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return children.flatMap(([key, child]) => [[key], ...pathsOf(child).map((path) => [key, ...path])]);
}

const written = (path: JsonPath): string => `$${path.map(writeStep).join('')}`;
const uniqueText = jsonText.filter((text) => !hasKeyTwice(text));
const values = fc.constantFrom('1.0', '12345678901234567890', '"new"', '{"a":[ ]}', 'null');

describe('setAt', () => {
  it.each([
    ['a value', '$.a.b', '{"a":{"b":1, "c":1.0}}', '{"a":{"b":"x", "c":1.0}}'],
    ['an element', '$.a[1]', '{"a":[1,[2,3],4]}', '{"a":[1,"x",4]}'],
    ['all elements', '$.a[*].b', '{"a":[{"b":1},{"b":2}]}', '{"a":[{"b":"x"},{"b":"x"}]}'],
    ['all members', '$.a.*', '{"a":{"b":1,"c":2}}', '{"a":{"b":"x","c":"x"}}'],
    ['what stands at any depth', '$..b', '{"b":1,"a":[{"b":{"b":1}}]}', '{"b":"x","a":[{"b":"x"}]}'],
    ['a key in brackets', "$['a.b']", '{"a.b":1}', '{"a.b":"x"}'],
    ['a key that is spelled with escapes', '$.a', String.raw`{"\u0061":1}`, String.raw`{"\u0061":"x"}`],
    ['both of a key that occurs twice', '$.a', '{"a":1,"a":2}', '{"a":"x","a":"x"}'],
  ])('sets %s', (_, path, text, changed) => {
    expect(set(path, '"x"', text)).toBe(changed);
  });

  it.each([
    ['after the others', '$.a.b', '{"a":{"c":1 }}', '{"a":{"c":1,"b":"x" }}'],
    ['to an empty object', '$.a.b', '{"a":{ }}', '{"a":{"b":"x" }}'],
    ['to the message itself', '$.b', '{"a":1}', '{"a":1,"b":"x"}'],
    ['to every object that lacks it', '$[*].b', '[{},{"b":1},[],2]', '[{"b":"x"},{"b":"x"},[],2]'],
    ['to objects in each other', '$..a.b', '{"a":{"a":{"c":1}}}', '{"a":{"a":{"c":1,"b":"x"},"b":"x"}}'],
  ])('adds a member %s', (_, path, text, changed) => {
    expect(set(path, '"x"', text)).toBe(changed);
  });

  it.each([
    ['$.a.b', '{"c":{}}'],
    ['$.a.b', '{"a":[1]}'],
    ['$.a.b', '{"a":"b"}'],
    ['$.a[1]', '{"a":[1]}'],
    ['$.a[0]', '{"a":{"0":1}}'],
    ['$..b', '{"a":{}}'],
    ['$.a.*', '{"a":{}}'],
    ['$.a', '[]'],
    ['$.a', 'no JSON {"a":1}'],
  ])('leaves the document unchanged if the path %s matches nothing: %s', (path, text) => {
    expect(set(path, '"x"', text)).toBe(text);
  });

  it('keeps every other character of any document when it sets a value', () => {
    fc.assert(
      fc.property(uniqueText, fc.nat(), fc.boolean(), values, (text, chosen, isNew, value) => {
        const paths = pathsOf(JSON.parse(text));
        const known = paths[chosen % Math.max(1, paths.length)] ?? [];
        const path = isNew || known.length === 0 ? [...known, 'new'] : known;
        expect(set(written(path), value, text)).toBe(spliceAt(text, path, value) ?? text);
      }),
    );
  });

  it('sets every value that a wildcard matches, and nothing else', () => {
    fc.assert(
      fc.property(uniqueText, values, (text, value) => {
        const all = pathsOf(JSON.parse(text)).filter((path) => path.length === 2);
        const expected = all.reduce((changed, path) => spliceAt(changed, path, value) ?? changed, text);
        expect(set('$.*[*]', value, text)).toBe(expected);
      }),
    );
  });

  it('turns valid JSON into valid JSON and leaves invalid JSON unchanged', () => {
    fc.assert(
      fc.property(
        fc.oneof(jsonText, almostJsonText),
        fc.constantFrom('$..a', '$.a.b', '$[0]', '$..*.x'),
        (text, path) => {
          const changed = set(path, '{}', text);
          if (findFault(text) === undefined) expect(findFault(changed)).toBeUndefined();
          else expect(changed).toBe(text);
        },
      ),
    );
  });

  it.each(deepTexts)('handles 100,000 levels of $of', ({ text }) => {
    expect(set('$..nothing', '1', text)).toBe(text);
  });
});
