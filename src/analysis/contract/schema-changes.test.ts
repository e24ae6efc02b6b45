import { describe, expect, it } from 'vitest';
import { readTree, type ValueNode } from '../diff/value-tree.ts';
import { compareSchemas } from './schema-changes.ts';

function schema(value: unknown): ValueNode {
  const node = readTree(JSON.stringify({ schema: value }), { profile: 'semantic' })?.members.get('schema');
  if (node === undefined) throw new Error('no schema');
  return node;
}

/** Each change, its path and the side it breaks: `<` senders, `>` receivers. */
function changes(a: unknown, b: unknown): string[] {
  return compareSchemas(schema(a), schema(b), '$').map(
    ({ path, detail, narrows, widens }) => `${path} ${detail}${narrows ? ' <' : ''}${widens ? ' >' : ''}`,
  );
}

const object = (properties: object, required: string[] = []): object => ({ type: 'object', properties, required });
const text = { type: 'string' };

describe('compareSchemas', () => {
  it.each([
    ['an optional property more', object({}), object({ q: text }), ['$.properties.q added, optional']],
    ['a required property more', object({}), object({ q: text }, ['q']), ['$.properties.q added, required <']],
    ['a property less', object({ q: text }, ['q']), object({}), ['$.properties.q removed < >']],
    [
      'a property that is needed now',
      object({ q: text }),
      object({ q: text }, ['q']),
      ['$.properties.q now required <'],
    ],
    ['one that is no longer', object({ q: text }, ['q']), object({ q: text }), ['$.properties.q no longer required >']],
    [
      'another order of what is needed',
      object({ a: text, b: text }, ['a', 'b']),
      object({ a: text, b: text }, ['b', 'a']),
      [],
    ],
    [
      'a name that only is needed',
      { type: 'object' },
      { type: 'object', required: ['q'] },
      ['$.properties.q now required <'],
    ],
    ['another type', text, { type: 'number' }, ['$.type changed < >']],
    ['fewer types', { type: ['string', 'null'] }, text, ['$.type narrowed <']],
    ['whole numbers only', { type: 'number' }, { type: 'integer' }, ['$.type narrowed <']],
    ['all numbers', { type: 'integer' }, { type: ['number'] }, ['$.type widened >']],
    ['a type where there was none', {}, text, ['$.type narrowed <']],
    ['fewer choices', { enum: [1, 2] }, { enum: [2] }, ['$.enum narrowed <']],
    ['more choices', { enum: ['a'] }, { enum: ['a', 'b'] }, ['$.enum widened >']],
    ['other choices', { const: 'a' }, { const: 'b' }, ['$.const changed < >']],
    ['a higher minimum', { minimum: 1 }, { minimum: 2 }, ['$.minimum narrowed <']],
    ['a higher maximum', { maxLength: 1 }, { maxLength: 2 }, ['$.maxLength widened >']],
    ['a maximum more', { a: 1, type: 'string' }, { a: 1, type: 'string', maxLength: 2 }, ['$.maxLength narrowed <']],
    ['another pattern', { pattern: 'a' }, { pattern: 'b' }, ['$.pattern changed < >']],
    [
      'nothing beside what is named',
      { type: 'object' },
      { type: 'object', additionalProperties: false },
      ['$.additionalProperties narrowed <'],
    ],
    [
      'something beside it',
      { additionalProperties: false },
      { additionalProperties: text },
      ['$.additionalProperties widened >'],
    ],
    ['another kind of element', { items: text }, { items: { type: ['string', 'null'] } }, ['$.items.type widened >']],
    ['an alternative more', { anyOf: [text] }, { anyOf: [text, { type: 'null' }] }, ['$.anyOf widened >']],
    ['another list as the constant', { const: ['a', 'b'] }, { const: ['b', 'a'] }, ['$.const changed < >']],
    ['another list among the choices', { enum: [['a', 'b']] }, { enum: [['b', 'a']] }, ['$.enum changed < >']],
    ['a repeated alternative', { oneOf: [text, text] }, { oneOf: [text] }, ['$.oneOf narrowed <']],
    ['a type that a choice lacks', { type: 'string', enum: ['a', 1] }, { enum: ['a', 1] }, ['$.type widened >']],
    ['an alternative less', { oneOf: [text, { type: 'null' }] }, { oneOf: [text] }, ['$.oneOf narrowed <']],
    ['alternatives where anything went', { title: 't' }, { title: 't', anyOf: [text] }, ['$.anyOf narrowed <']],
    [
      'a remark within an alternative',
      { anyOf: [text] },
      { anyOf: [{ ...text, title: 't' }] },
      ['$.anyOf[0].title changed'],
    ],
    ['a condition more', { allOf: [text] }, { allOf: [text, { minLength: 1 }] }, ['$.allOf narrowed <']],
    ['conditions gone', { title: 't', allOf: [text] }, { title: 't' }, ['$.allOf widened >']],
    [
      'a definition',
      { $defs: { a: text } },
      { $defs: { a: { type: 'null' }, b: {} } },
      ['$.$defs.a.type changed < >', '$.$defs.b changed'],
    ],
    ['a description', { description: 'a' }, { description: 'b' }, ['$.description changed']],
    ['a default and a private word', {}, { default: 1, 'x-y': 1 }, ['$.default changed', '$.x-y changed']],
    ['an unknown keyword', { title: 't' }, { title: 't', if: {} }, ['$.if changed < >']],
    ['nothing at all', object({ q: text }), object({ q: text }), []],
  ])('classifies the schema change: %s', (_, a, b, expected) => {
    expect(changes(a, b)).toEqual(expected);
  });

  it.each([
    ['constants as alternatives', { anyOf: [{ const: 'a' }, { type: 'string', const: 'b' }] }, { enum: ['b', 'a'] }],
    ['a type that its choices have', { type: 'string', enum: ['a'] }, { const: 'a' }],
    ['one condition', { title: 't', allOf: [text] }, { title: 't', ...text }],
    [
      'dependent names in another order',
      { dependentRequired: { x: ['a', 'b'] } },
      { dependentRequired: { x: ['b', 'a'] } },
    ],
    ['no dependent names', { type: 'object', dependentRequired: {} }, { type: 'object' }],
    ['an enum in another order', { enum: [1, 2] }, { enum: [2, 1] }],
    ['an enum that repeats a value', { enum: [1, 2] }, { enum: [2, 1, 1.0] }],
    ['a const and an enum of one', { const: 'a' }, { enum: ['a'] }],
    ['an enum of one and a const, with a title', { title: 't', enum: ['a'] }, { title: 't', const: 'a' }],
    ['types in another order', { type: ['string', 'null'] }, { type: ['null', 'string'] }],
    ['one type in an array', text, { type: ['string'] }],
    ['number with and without integer', { type: 'number' }, { type: ['integer', 'number'] }],
    ['alternatives in another order', { anyOf: [text, { minimum: 1 }] }, { anyOf: [{ minimum: 1 }, text] }],
    ['oneOf in another order', { oneOf: [{ enum: [1, 2] }, text] }, { oneOf: [text, { enum: [2, 1] }] }],
    ['conditions in another order', { allOf: [{ minimum: 1 }, text] }, { allOf: [text, { minimum: 1 }] }],
    ['types as alternatives', { anyOf: [text, { type: 'null' }] }, { type: ['null', 'string'] }],
    ['a type as alternatives', { type: ['null', 'string'] }, { anyOf: [text, { type: 'null' }] }],
    ['minLength 0', text, { ...text, minLength: 0 }],
    ['minItems 0 and uniqueItems false', { type: 'array' }, { type: 'array', minItems: 0, uniqueItems: false }],
    ['minProperties 0', { type: 'object', minProperties: 0 }, { type: 'object' }],
    ['minContains 1', { contains: text, minContains: 1 }, { contains: text }],
    ['additionalProperties true', object({ q: text }), { ...object({ q: text }), additionalProperties: true }],
    ['additionalProperties as an empty schema', { additionalProperties: true }, { additionalProperties: {} }],
    ['empty lists', { type: 'object' }, { type: 'object', properties: {}, required: [] }],
    ['a property that allows anything', object({ q: {} }), object({ q: true })],
    ['deprecated false', text, { ...text, deprecated: false }],
    ['another spelling of a number', { maximum: 10 }, { maximum: 1e1 }],
  ])('reports no change for an equal form: %s', (_, a, b) => {
    expect([changes(a, b), changes(b, a)]).toEqual([[], []]);
  });

  it.each([
    [
      'prefixItems in another order',
      { prefixItems: [text, { type: 'null' }] },
      { prefixItems: [{ type: 'null' }, text] },
    ],
    ['an enum that lost a value', { enum: ['a', 'b'] }, { const: 'a' }],
    ['types that are no alternatives', { type: ['null', 'string'] }, { anyOf: [text, { type: 'null', title: 'n' }] }],
  ])('reports a change for %s', (_, a, b) => {
    expect(changes(a, b)).not.toEqual([]);
  });

  it('compares nested properties', () => {
    const nested = (inner: object): object => object({ a: object({ b: inner }) });
    expect(changes(nested({ enum: [1, 2] }), nested({ enum: [1] }))).toEqual([
      '$.properties.a.properties.b.enum narrowed <',
    ]);
  });

  it('compares schemas that are nested too deeply as a whole', () => {
    let [a, b]: object[] = [text, { type: 'null' }];
    for (let n = 0; n < 500; n++) [a, b] = [{ items: a }, { items: b }];
    expect(changes(a, b)).toHaveLength(1);
  });
});
