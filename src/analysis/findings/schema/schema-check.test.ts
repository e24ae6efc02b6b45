import { describe, expect, it } from 'vitest';
import { SchemaCheck, type SchemaCheckResult } from './schema-check.ts';

function verdict(schema: unknown, value: unknown): SchemaCheckResult {
  return new SchemaCheck(JSON.stringify(schema)).verdictOn(JSON.stringify(value));
}

/** A schema nested in this many others. */
function nested(depth: number): object {
  let schema: object = { type: 'integer' };
  for (let n = 0; n < depth; n++) schema = { properties: { a: schema } };
  return schema;
}

describe('SchemaCheck', () => {
  it.each([
    ['2020-12', { prefixItems: [{ type: 'string' }, { type: 'integer' }] }],
    ['draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', items: [{}, { type: 'integer' }] }],
  ])('validates tuples as defined by %s', (_, schema) => {
    expect(verdict(schema, ['a', 1])).toEqual({ kind: 'fits' });
    expect(verdict(schema, ['a', 'b'])).toMatchObject({ kind: 'fault', where: '1' });
  });

  it('resolves references within the schema', () => {
    const schema = { $defs: { n: { type: 'integer' } }, properties: { a: { $ref: '#/$defs/n' } } };
    expect(verdict(schema, { a: 1 })).toEqual({ kind: 'fits' });
    expect(verdict(schema, { a: 'x' })).toMatchObject({ kind: 'fault', where: 'a' });
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
    ['that is no object', 'x', 'no object'],
    ['in an unknown dialect', { $schema: 'urn:x' }, 'dialect'],
    ['that is too deep', nested(100), 'too deep'],
    ['that is too large', { enum: [`${'x'.repeat(1 << 19)}`] }, 'too large'],
    ['with too many parts', { allOf: Array.from({ length: 9000 }, () => ({})) }, 'too large'],
    ['that refers to itself', { $ref: '#' }, 'itself|too long'],
    ['that refers elsewhere', { $ref: 'file:///etc/passwd' }, 'does not hold'],
    ['with a pattern that may take for ever, turned around', { not: { pattern: '^(a+)+$' } }, 'for ever'],
    ['with two parts of one name', { $id: 'http://[', type: 'object' }, 'no valid schema'],
  ])('reports why it does not use a schema %s', (_, schema, why) => {
    const check = new SchemaCheck(JSON.stringify(schema));
    for (const value of ['{}', '[]']) {
      expect(check.verdictOn(value)).toEqual({ kind: 'unchecked', why: expect.stringMatching(why) });
    }
  });

  it.each([
    ['a long text for a pattern', { pattern: 'a*b*c*$' }, 'a'.repeat(100_000)],
    ['a long list to compare', { uniqueItems: true }, Array.from({ length: 100_000 }, () => 1)],
    ['a very long text', { type: 'integer' }, 'a'.repeat(2 << 20)],
  ])('skips the check for %s', (_, schema, value) => {
    expect(verdict(schema, value)).toEqual({ kind: 'fits' });
  });
});
