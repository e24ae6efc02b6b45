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
  it('puts a kept member in the place of the writer’s own, and the others at the end', () => {
    expect(compactObject(withKept(FIELDS, '{"c":3, "a" : 1.0}'))).toBe('{"a":1.0,"b":"x","c":3}');
  });

  it('writes the fields alone where nothing was kept', () => {
    expect(withKept(FIELDS, undefined)).toBe(FIELDS);
    expect(withKept(FIELDS, 'no object')).toBe(FIELDS);
  });

  it('knows a key however it is escaped, and takes __proto__ for a key like any other', () => {
    expect(compactObject(withKept(FIELDS, '{"\\u0061":2,"__proto__":3}'))).toBe('{"a":2,"b":"x","__proto__":3}');
  });
});

describe('keptMembers', () => {
  const kept = (text: string): string | undefined => keptMembers(view(text), FIELDS, (key) => key === 'read');

  it('keeps what has another name or another value', () => {
    expect(kept('{"a":2,"b":"x","c":[1.0],"read":7}')).toBe('{"a":2,"c":[1.0]}');
  });

  it('keeps nothing of what would be written anyway, in whatever spelling', () => {
    expect(kept('{"b":"\\u0078", "a": 1.0 }')).toBeUndefined();
    expect(kept('{}')).toBeUndefined();
  });

  it('lets the last of two members with one key count', () => {
    expect(kept('{"a":2,"a":1}')).toBeUndefined();
    expect(kept('{"a":1,"a":2,"c":1,"c":2}')).toBe('{"a":2,"c":2}');
  });
});

describe('asideMembers', () => {
  const aside = (text: string): string | undefined =>
    asideMembers(view(`{"extra":${text}}`), 'extra', (key) => key === 'taken');

  it('gives what was put aside, in one spelling', () => {
    expect(aside('{ "n" : 1.0 ,"\\u0061":{} }')).toBe('{"n":1.0,"a":{}}');
  });

  it.each(['7', 'null', '[]', '{}', '{"a":1,"taken":2}'])('does not take %s for ours', (text) => {
    expect(aside(text)).toBeUndefined();
  });
});

describe('the layouts', () => {
  it('are one line, or a member a line', () => {
    expect(compactObject(FIELDS)).toBe('{"a":1,"b":"x"}');
    expect(objectText(FIELDS, tallLayout('  '))).toBe('{\n    "a": 1,\n    "b": "x"\n  }');
    expect(compactObject([])).toBe('{}');
  });

  it('of a keeper is an object, if there is anything in it', () => {
    const keeper = new UnknownFieldKeeper();
    expect(keeper.text).toBeUndefined();
    keeper.keep('é"', '1e400');
    expect(keeper.text).toBe('{"é\\"":1e400}');
  });
});
