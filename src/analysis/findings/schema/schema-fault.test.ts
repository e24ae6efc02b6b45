import { expect, it } from 'vitest';
import { SchemaCheck } from './schema-check.ts';
import { faultsText } from './schema-fault.ts';

function faultsOf(schema: unknown, value: string, root = 'it'): string {
  const verdict = new SchemaCheck(JSON.stringify(schema)).verdictOn(value);
  return verdict.kind === 'fault' ? faultsText(verdict.faults, root) : verdict.kind;
}

it.each([
  [{ type: 'string' }, '5', 'it must be a string, got a number (5)'],
  [{ type: ['integer', 'null'] }, '"x"', 'it must be an integer or null, got a string'],
  [{ type: 'object' }, '[1]', 'it must be an object, got an array'],
  [{ type: 'boolean' }, 'null', 'it must be a boolean, got null'],
  [{ enum: ['asc', 'a,b'] }, '"up"', 'it must be one of "asc", "a,b"'],
  [{ enum: [1, 2] }, '3', 'it must be one of 1, 2, got a number (3)'],
  [{ const: 1 }, '2', 'it must be 1, got a number (2)'],
  [{ minimum: 3 }, '-1', 'it must be at least 3, got -1'],
  [{ maximum: 1.5 }, '2e3', 'it must be at most 1.5, got 2000'],
  [{ exclusiveMinimum: 0 }, '0', 'it must be greater than 0, got 0'],
  [{ exclusiveMaximum: 3 }, '3', 'it must be less than 3, got 3'],
  [{ multipleOf: 2 }, '3', 'it must be a multiple of 2, got 3'],
  [{ maxItems: 1 }, '[1,2]', 'it must have at most 1 item, has 2'],
  [{ minItems: 2 }, '[]', 'it must have at least 2 items, has 0'],
  [{ uniqueItems: true }, '[1,1]', 'it must have unique items, but items 0 and 1 are equal'],
  [{ minLength: 2 }, '"a"', 'it must have at least 2 characters, has 1'],
  [{ minProperties: 1 }, '{}', 'it must have at least 1 property, has 0'],
  [{ maxProperties: 1 }, '{"a":1,"b":2}', 'it must have at most 1 property, has 2'],
  [{ pattern: '^a' }, '"b"', 'it must match ^a'],
  [{ not: {} }, '1', 'it must not match the schema in "not"'],
  [{ contains: { type: 'string' } }, '[1]', 'it must have an item that matches the schema in "contains"'],
  [{ if: false, else: { type: 'null' } }, '1', 'it must be null, got a number (1)'],
])('describes a fault of the schema %j in terms of the value', (schema, value, words) => {
  expect(faultsOf(schema, value)).toBe(words);
});

it.each([
  ['two types', { anyOf: [{ type: 'string' }, { type: 'null' }] }, '5', 'must be a string or null, got a number (5)'],
  [
    'exactly one type',
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
    'true',
    'must be a string or a number, got a boolean (true)',
  ],
  ['three values', { anyOf: [{ const: 1 }, { enum: [2, 3] }] }, '4', 'must be 1, 2 or 3, got a number (4)'],
  [
    'a referenced type',
    { $defs: { a: { type: 'string' } }, anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] },
    '5',
    'must be a string or null, got a number (5)',
  ],
  [
    'different reasons',
    { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] },
    '"x"',
    'matches none of its 2 alternatives: must have at least 2 characters, has 1, or must be null, got a string',
  ],
  [
    'reasons deeper in the value',
    { oneOf: [{ properties: { kind: { const: 'a' } } }, { required: ['name'] }] },
    '{"kind":"c"}',
    'matches none of its 2 alternatives: kind must be "a", or name is required',
  ],
  [
    'a choice within a choice',
    { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'boolean' }] },
    '5',
    'matches none of its 2 alternatives: must be a string or null, got a number (5), or must be a boolean, got a number (5)',
  ],
  ['only one', { anyOf: [{ type: 'string' }] }, '5', 'must be a string, got a number (5)'],
  ['only false', { anyOf: [false, false] }, '5', 'is not allowed'],
  ['too many that match', { oneOf: [{}, { type: 'number' }] }, '5', 'must match exactly one alternative, matches 2'],
])('names all alternatives: %s', (_, schema, value, words) => {
  expect(faultsOf(schema, value)).toBe(`it ${words}`);
  expect(
    faultsOf({ ...('$defs' in schema && { $defs: schema.$defs }), properties: { a: schema } }, `{"a":${value}}`, ''),
  ).toBe(`a ${words}`);
});

it('lists up to three faults, missing properties first', () => {
  const schema = { properties: { qty: { minimum: 1 } }, required: ['order', 'a b'] };
  expect(faultsOf(schema, '{"qty":0}', '')).toBe(
    "order is required; ['a b'] is required; qty must be at least 1, got 0",
  );
  expect(faultsOf({ required: ['a', 'b', 'c', 'd'] }, '{}')).toBe(
    'it.a is required; it.b is required; it.c is required',
  );
});

it('says why a property is required, and which one the schema does not have', () => {
  expect(faultsOf({ dependentRequired: { n: ['tags'] } }, '{"n":1}', '')).toBe('tags is required because n is set');
  const schema = { properties: { a: {} }, additionalProperties: false };
  expect(faultsOf(schema, '{"a":1,"b":{"c":2}}', '')).toBe('b is not a property of the schema');
  expect(faultsOf({ properties: { a: false } }, '{"a":1}', '')).toBe('a is not allowed');
});

it('names the place of a fault as other commands do', () => {
  const schema = { properties: { 'a/b': { items: { properties: { c: { type: 'string' } } } } } };
  expect(faultsOf(schema, '{"a/b":[{},{"c":true}]}', '')).toBe("['a/b'][1].c must be a string, got a boolean (true)");
});
