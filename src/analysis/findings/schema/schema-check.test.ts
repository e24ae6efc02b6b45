import { format } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { SchemaCheck, type SchemaCheckResult } from './schema-check.ts';
import type { SchemaFault } from './schema-fault.ts';

/** The verdict, with its first fault. */
function verdict(schema: unknown, value: unknown): SchemaCheckResult & Partial<SchemaFault> {
  const result = new SchemaCheck(JSON.stringify(schema)).verdictOn(JSON.stringify(value));
  return { ...result, ...(result.kind === 'fault' && result.faults[0]) };
}

/** A schema nested in this many others. */
function nested(depth: number): object {
  let schema: object = { type: 'integer' };
  for (let n = 0; n < depth; n++) schema = { properties: { a: schema } };
  return schema;
}

/** A schema with a relative `$id` at each level, which all belong to the innermost URI. */
function grownId(depth: number): object {
  let schema: object = { type: 'integer' };
  for (let n = 0; n < depth; n++) schema = { $id: `${'x'.repeat(100)}/`, allOf: [schema] };
  return { $id: 'http://x/', allOf: [schema] };
}

describe('SchemaCheck', () => {
  it.each([
    ['2020-12', { prefixItems: [{ type: 'string' }, { type: 'integer' }] }],
    ['draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', items: [{}, { type: 'integer' }] }],
  ])('validates tuples as defined by %s', (_, schema) => {
    expect(verdict(schema, ['a', 1])).toEqual({ kind: 'fits' });
    expect(verdict(schema, ['a', 'b'])).toMatchObject({ kind: 'fault', where: '[1]' });
  });

  it('resolves references within the schema', () => {
    const schema = { $defs: { n: { type: 'integer' } }, properties: { a: { $ref: '#/$defs/n' } } };
    expect(verdict(schema, { a: 1 })).toEqual({ kind: 'fits' });
    expect(verdict(schema, { a: 'x' })).toMatchObject({ kind: 'fault', where: 'a' });
  });

  it('resolves references by anchor, id and pointer, relative to the schema around them', () => {
    const schema = {
      $id: 'http://x/root',
      $defs: {
        a: { $anchor: 'here', type: 'integer' },
        b: { $id: 'sub/b', $defs: { c: { type: 'string' } }, properties: { d: { $ref: '#/$defs/c' } } },
        'e/f~g h': { type: 'boolean' },
        i: { $id: '#old', type: 'null' },
      },
      patternProperties: { '^x-': { type: 'number' } },
      properties: {
        a: { $ref: '#here' },
        b: { $ref: 'http://x/sub/b' },
        c: { $ref: 'sub/b#/$defs/c' },
        e: { $ref: '#/$defs/e~1f~0g%20h' },
        i: { $ref: '#old' },
        j: { $ref: '#/patternProperties/%5Ex-' },
      },
    };
    expect(verdict(schema, { a: 1, b: { d: 'x' }, c: 'x', e: true, i: null, j: 1.5 })).toEqual({ kind: 'fits' });
    for (const key of 'abceij') {
      const wrong = key === 'b' ? { d: 1 } : [];
      expect(verdict(schema, { [key]: wrong })).toMatchObject({ where: key === 'b' ? 'b.d' : key });
    }
  });

  it('treats properties named like keywords as properties', () => {
    const schema = {
      properties: { pattern: { type: 'string' }, format: { type: 'string' }, enum: { type: 'integer' } },
    };
    expect(verdict(schema, { pattern: '(a+)+', format: 'email', enum: 1 })).toEqual({ kind: 'fits' });
    expect(verdict(schema, { pattern: '', format: 5, enum: 1 })).toMatchObject({ where: 'format' });
    expect(verdict(schema, { enum: 'x' })).toMatchObject({ where: 'enum' });
  });

  it('does not alter data inside a schema, such as enum values', () => {
    const schema = { properties: { a: { enum: [{ format: 'x', pattern: '(a+)+' }] } } };
    expect(verdict(schema, { a: { format: 'x', pattern: '(a+)+' } })).toEqual({ kind: 'fits' });
    expect(verdict(schema, { a: {} })).toMatchObject({ kind: 'fault' });
  });

  it('checks safe patterns', () => {
    expect(verdict({ properties: { a: { pattern: '^[a-z]+$' } } }, { a: 'A' })).toMatchObject({ where: 'a' });
  });

  it.each([
    ['that is no object', 'x', 'not an object'],
    ['in an unknown dialect', { $schema: 'urn:x' }, 'dialect'],
    ['that is too deep', nested(100), 'too deep'],
    ['that is too large', { enum: [`${'x'.repeat(1 << 19)}`] }, 'too large'],
    ['with too many parts', { allOf: Array.from({ length: 9000 }, () => ({})) }, 'too large'],
    ['that refers to itself', { $ref: '#' }, 'itself|too long'],
    ['that refers elsewhere', { $ref: 'file:///etc/passwd' }, 'missing part'],
    ['with a pattern that RE2 does not have, turned around', { not: { pattern: '^(?=a)' } }, 'checked safely'],
    ['with a pattern for names that RE2 does not have', { patternProperties: { '(a)\\1': {} } }, 'checked safely'],
    ['that refers to data', { $ref: '#/examples', examples: { type: 'string' } }, 'missing part'],
    ['with an $id that is no URI', { $id: 'http://[', type: 'object' }, 'not a valid schema'],
    ['with two parts of one name', { allOf: [{ $id: 'urn:a' }, { $id: 'urn:a' }] }, 'two parts'],
    ['with a long $id', { $id: `urn:${'a'.repeat(3000)}` }, 'too large'],
    ['with an $id that grows', grownId(60), 'too large'],
    ['with a long $ref', { $ref: `#/${'a'.repeat(3000)}` }, 'too large'],
    ['with a $ref that is no URI', { $ref: 'http://[' }, 'missing part'],
    ['with a $ref that is no text', { $ref: [], __absolute_ref__: '#' }, 'missing part'],
  ])('reports why it does not use a schema %s', (_, schema, why) => {
    const check = new SchemaCheck(JSON.stringify(schema));
    for (const value of ['{}', '[]']) {
      expect(check.verdictOn(value)).toEqual({ kind: 'unchecked', why: expect.stringMatching(why) });
    }
  });

  it('ignores a pattern that RE2 does not have where that only makes the schema more permissive', () => {
    expect(verdict({ properties: { a: { pattern: '^(?!x)', type: 'string' } } }, { a: 'x' })).toEqual({ kind: 'fits' });
    expect(verdict({ properties: { a: { pattern: '^(?!x)', type: 'string' } } }, { a: 1 })).toMatchObject({
      where: 'a',
    });
  });

  it('reports a string that does not match a pattern as such', () => {
    expect(verdict({ pattern: '^[a-z]+\\d{2}$' }, 'ab1')).toMatchObject({
      where: '',
      why: 'must match ^[a-z]+\\d{2}$',
    });
    expect(verdict({ pattern: '^\\u0041\\/[\\w-]+$' }, 'A/b-c')).toEqual({ kind: 'fits' });
  });

  it('checks patterns for names', () => {
    const schema = {
      patternProperties: { '^x-': { type: 'integer' }, '^.$': { type: 'string' } },
      additionalProperties: false,
    };
    expect(verdict(schema, { 'x-a': 1, y: 'a' })).toEqual({ kind: 'fits' });
    expect(verdict(schema, { 'x-a': 'b' })).toMatchObject({ kind: 'fault', where: 'x-a' });
    expect(verdict(schema, { y: 1 })).toMatchObject({ kind: 'fault', where: 'y' });
    expect(verdict(schema, { other: 1 })).toMatchObject({ kind: 'fault' });
    expect(verdict(schema, { 'x-.*': 1, 'x-(': 2, 'x-\n': 3 })).toEqual({ kind: 'fits' });
  });

  it('compares the elements of a long list', () => {
    const list = Array.from({ length: 4000 }, (_, i) => ({ a: i, b: [i] }));
    expect(verdict({ uniqueItems: true }, list)).toEqual({ kind: 'fits' });
    const equal = list.slice(0, 20);
    expect(verdict({ uniqueItems: true }, [...equal, { b: [7], a: 7 }])).toMatchObject({ kind: 'fault' });
    expect(verdict({ uniqueItems: true }, [1, '1', [1], [[1]], null, false, {}, []])).toEqual({ kind: 'fits' });
    expect(verdict({ items: { uniqueItems: true } }, [[1], [1]])).toEqual({ kind: 'fits' });
    expect(verdict({ uniqueItems: true }, [0, -0])).toMatchObject({ kind: 'fault' });
  });

  it('adds nothing to the formats of the validator', () => {
    const before = Object.keys(format);
    verdict({ pattern: 'a' }, 'a');
    expect(Object.keys(format)).toEqual(before);
  });

  const A_LOT = Array.from({ length: 4000 }, (_, i) => i);
  it.each([
    ['a very long text', { type: 'integer' }, 'a'.repeat(2 << 20), 'too large'],
    ['a long text for a large pattern', { pattern: '(a?){500}(a?){500}$' }, 'a'.repeat(100_000), 'too long'],
    [
      'a long text that is measured often',
      { items: { allOf: A_LOT.slice(0, 1500).map(() => ({ maxLength: 1e9 })) } },
      ['x'.repeat(900_000)],
      'too long',
    ],
    ['a long list to compare', { uniqueItems: true }, [...A_LOT, 3999], 'too long'],
    [
      'a list to compare in a large value',
      { properties: { b: { uniqueItems: true } } },
      { a: 'x'.repeat(400_000), b: [...A_LOT.slice(0, 1200), 1199] },
      'too long',
    ],
    [
      'a list that is compared often',
      { allOf: A_LOT.slice(0, 1500).map(() => ({ uniqueItems: true })) },
      [...A_LOT.slice(0, 200), 199],
      'too long',
    ],
    ['a long list of values for each of many', { items: { enum: A_LOT } }, A_LOT, 'too long'],
    [
      'members that are counted often',
      { allOf: A_LOT.slice(0, 1500).map(() => ({ minProperties: 1 })) },
      { ...A_LOT },
      'too long',
    ],
    [
      'many names and patterns for names',
      { patternProperties: { a: {}, b: {}, '[ab]': {} } },
      Object.fromEntries(A_LOT.map((i) => [`a${i}`, i])),
      'too long',
    ],
    [
      'a long name that is written often',
      { $defs: { a: { additionalProperties: {} } }, allOf: A_LOT.slice(0, 2000).map(() => ({ $ref: '#/$defs/a' })) },
      { ['x'.repeat(200_000)]: 1 },
      'too long',
    ],
    [
      'long texts that are compared often',
      { $defs: { a: { uniqueItems: true } }, allOf: A_LOT.slice(0, 2000).map(() => ({ $ref: '#/$defs/a' })) },
      [...A_LOT.slice(0, 9), 8].map((i) => `${'x'.repeat(100_000)}${i}`),
      'too long',
    ],
    ['a long type that is written often', { contains: { type: ['x'.repeat(100_000)] } }, A_LOT, 'too long'],
    [
      'a schema that doubles its work at each level',
      {
        $defs: Object.fromEntries(
          A_LOT.slice(0, 40).map((i) => [
            `d${i}`,
            { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
          ]),
        ),
        $ref: '#/$defs/d0',
      },
      1,
      'too long|missing part',
    ],
  ])('skips %s and reports that it was not checked', (_, schema, value, why) => {
    expect(verdict(schema, value)).toEqual({ kind: 'unchecked', why: expect.stringMatching(why) });
  });

  it('checks a schema with an $id at each level', () => {
    let schema: object = { type: 'string' };
    for (let n = 0; n < 50; n++) schema = { $id: `http://x/${n}`, $anchor: `a${n}`, allOf: [schema] };
    expect(verdict({ properties: { a: schema } }, { a: 'x' })).toEqual({ kind: 'fits' });
    expect(verdict({ properties: { a: schema } }, { a: 1 })).toMatchObject({ where: 'a' });
  });

  it('spends little time on a small schema with patterns that backtrack', () => {
    const evil = ['^(a+)+$', '(a|a)*b', '(.*)*x', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y'];
    const schema = { anyOf: evil.map((pattern) => ({ pattern })) };
    expect(verdict(schema, `${'a'.repeat(5000)}!`)).toMatchObject({ kind: 'fault' });
  });
});
