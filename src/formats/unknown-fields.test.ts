import { describe, expect, it } from 'vitest';
import { ObjectView } from '../json/object-view.ts';
import {
  asideMembers,
  compactObject,
  keptMembers,
  objectText,
  tallLayout,
  type UnknownField,
  UnknownFieldKeeper,
  withKept,
} from './unknown-fields.ts';

const view = (text: string): ObjectView => ObjectView.of(text) ?? expect.unreachable();

const FIELDS: readonly UnknownField[] = [
  ['"a"', '1'],
  ['"b"', '"x"'],
];

describe('withKept', () => {
  it('replaces the writer’s member with the kept one, and appends the others', () => {
    expect(compactObject(withKept(FIELDS, '{"c":3, "a" : 1.0}'))).toBe('{"a":1.0,"b":"x","c":3}');
  });

  it('returns only the fields if nothing was kept', () => {
    expect(withKept(FIELDS, undefined)).toBe(FIELDS);
    expect(withKept(FIELDS, 'no object')).toBe(FIELDS);
  });

  it('recognizes an escaped key, and treats __proto__ as an ordinary key', () => {
    expect(compactObject(withKept(FIELDS, '{"\\u0061":2,"__proto__":3}'))).toBe('{"a":2,"b":"x","__proto__":3}');
  });
});

describe('keptMembers', () => {
  const kept = (text: string): string | undefined => keptMembers(view(text), FIELDS, (key) => key === 'read');

  it('keeps members with another name or another value', () => {
    expect(kept('{"a":2,"b":"x","c":[1.0],"read":7}')).toBe('{"a":2,"c":[1.0]}');
  });

  it('omits members that would be written anyway, in any spelling', () => {
    expect(kept('{"b":"\\u0078", "a": 1.0 }')).toBeUndefined();
    expect(kept('{}')).toBeUndefined();
  });

  it('uses the last of duplicate keys', () => {
    expect(kept('{"a":2,"a":1}')).toBeUndefined();
    expect(kept('{"a":1,"a":2,"c":1,"c":2}')).toBe('{"a":2,"c":2}');
  });
});

describe('asideMembers', () => {
  const aside = (text: string): string | undefined =>
    asideMembers(view(`{"extra":${text}}`), 'extra', (key) => key === 'taken');

  it('returns the members that were set aside, in compact form', () => {
    expect(aside('{ "n" : 1.0 ,"\\u0061":{} }')).toBe('{"n":1.0,"a":{}}');
  });

  it.each(['7', 'null', '[]', '{}', '{"a":1,"taken":2}'])('ignores %s, which mcpreel did not write', (text) => {
    expect(aside(text)).toBeUndefined();
  });
});

describe('object layouts', () => {
  it('writes an object on one line, or with one line per member', () => {
    expect(compactObject(FIELDS)).toBe('{"a":1,"b":"x"}');
    expect(objectText(FIELDS, tallLayout('  '))).toBe('{\n    "a": 1,\n    "b": "x"\n  }');
    expect(compactObject([])).toBe('{}');
  });

  it('returns the fields of a keeper as an object, or undefined if it is empty', () => {
    const keeper = new UnknownFieldKeeper();
    expect(keeper.text).toBeUndefined();
    keeper.keep('é"', '1e400');
    expect(keeper.text).toBe('{"é\\"":1e400}');
  });
});
