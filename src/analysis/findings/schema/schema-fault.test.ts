import { expect, it } from 'vitest';
import { SchemaCheck } from './schema-check.ts';

it.each([
  [{ type: 'string' }, '5', 'must be a string, got a number (5)'],
  [{ type: ['integer', 'null'] }, '"x"', 'must be an integer or null, got a string'],
  [{ type: 'object' }, '[1]', 'must be an object, got an array'],
  [{ type: 'boolean' }, 'null', 'must be a boolean, got null'],
  [{ enum: ['asc', 'desc'] }, '"up"', 'must be one of "asc", "desc"'],
  [{ const: 1 }, '2', 'must be 1'],
  [{ required: ['query'] }, '{}', 'has no property "query", which is required'],
  [{ minimum: 3 }, '1', 'must be at least 3, got 1'],
  [{ exclusiveMaximum: 3 }, '3', 'must be less than 3, got 3'],
  [{ multipleOf: 2 }, '3', 'must be a multiple of 2, got 3'],
  [{ maxItems: 1 }, '[1,2]', 'must have at most 1 item, has 2'],
  [{ uniqueItems: true }, '[1,1]', 'must have unique items, 0 and 1 are equal'],
  [{ minLength: 2 }, '"a"', 'must have at least 2 characters, has 1'],
  [{ pattern: '^a' }, '"b"', 'does not match its pattern'],
  [{ anyOf: [{ const: 1 }, { const: 2 }] }, '3', 'must be 2'],
  [{ not: {} }, '1', 'matches a schema that "not" excludes'],
])('describes a fault of the schema %j in terms of the value', (schema, value, why) => {
  expect(new SchemaCheck(JSON.stringify(schema)).verdictOn(value)).toEqual({ kind: 'fault', where: '', why });
});

it('names a property that is not allowed', () => {
  const schema = { properties: { a: {} }, additionalProperties: false };
  const verdict = new SchemaCheck(JSON.stringify(schema)).verdictOn('{"a":1,"b":{"c":2}}');
  expect(verdict).toEqual({ kind: 'fault', where: 'b', why: 'is not allowed' });
});

it('shows the value that violates the schema', () => {
  const schema = { properties: { 'a/b': { items: { type: 'string' } } } };
  const verdict = new SchemaCheck(JSON.stringify(schema)).verdictOn('{"a/b":["x",true]}');
  expect(verdict).toEqual({ kind: 'fault', where: 'a/b.1', why: 'must be a string, got a boolean (true)' });
});
