import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { traceOf } from './trace-of.ts';

/** A pattern and a text for which a backtracking engine needs longer than the universe exists. */
const EVIL = '^(([a-z]+)+)+$';
const TEXT = `${'a'.repeat(60)}!`;

/** Ways to a pattern that a judge of patterns may not look at. */
const SCHEMAS: readonly (readonly [name: string, schema: object])[] = [
  ['in a property', { properties: { a: { pattern: EVIL } } }],
  ['behind a reference to examples', { properties: { a: { $ref: '#/examples' } }, examples: { pattern: EVIL } }],
  [
    'behind a reference to a default',
    { properties: { a: { $ref: '#/x/default' } }, x: { default: { pattern: EVIL } } },
  ],
  ['in a list in a list', { properties: { a: { $ref: '#/x/0/0' } }, x: [[{ pattern: EVIL }]] }],
  ['behind an anchor in data', { properties: { a: { $ref: '#e' } }, examples: { $anchor: 'e', pattern: EVIL } }],
  ['behind an id in data', { properties: { a: { $ref: 'urn:e' } }, examples: { $id: 'urn:e', pattern: EVIL } }],
  ['as a member of an unknown keyword', { properties: { a: { $ref: '#/x/y' } }, x: { y: { pattern: EVIL } } }],
  ['for names', { patternProperties: { [EVIL]: { type: 'integer' } } }],
  ['for names of names', { propertyNames: { pattern: EVIL } }],
  [
    'in a prototype',
    { properties: { a: JSON.parse(`{"__proto__":{"pattern":"${EVIL}"},"$ref":"#/properties/a/__proto__"}`) } },
  ],
];

/** Schemas that take long to prepare, before any value is checked. */
const LARGE: readonly (readonly [name: string, schema: object])[] = [
  ['an $id at each level', nested(50, (inner, n) => ({ $id: `http://x/${n}`, allOf: [inner] }))],
  ['an $anchor at each level', nested(50, (inner, n) => ({ $anchor: `a${n}`, items: inner }))],
  ['an $id at each level of data', { examples: nested(50, (inner, n) => ({ $id: `http://x/${n}`, not: inner })) }],
  ['too many levels', nested(500, (inner) => ({ not: inner }))],
  ['a long chain of references', { ...chain(4000), $ref: '#/$defs/d0' }],
  ['references that double at each level', { ...doubling(40), $ref: '#/$defs/d0' }],
  ['a $dynamicRef to itself', { $dynamicAnchor: 'n', properties: { a: { $dynamicRef: '#n' } }, $dynamicRef: '#n' }],
  ['a huge enum of objects', { properties: { a: { enum: Array.from({ length: 9000 }, (_, n) => ({ id: n })) } } }],
  ['many keywords', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, {}]))],
];

function nested(levels: number, around: (inner: object, level: number) => object): object {
  let schema: object = { type: 'string' };
  for (let n = 0; n < levels; n++) schema = around(schema, n);
  return { type: 'object', properties: { a: schema } };
}

function doubling(levels: number): object {
  const both = (n: number): object => ({ allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] });
  const levelsOf = Array.from({ length: levels }, (_, n) => [`d${n}`, both(n)] as const);
  return { $defs: { ...Object.fromEntries(levelsOf), [`d${levels}`]: true } };
}

function chain(links: number): object {
  return {
    $defs: Object.fromEntries(Array.from({ length: links }, (_, n) => [`d${n}`, { $ref: `#/$defs/d${n + 1}` }])),
  };
}

describe('a hostile schema', () => {
  it.each([...SCHEMAS.map(([name, schema]) => [`a pattern ${name}`, schema] as const), ...LARGE])(
    'does not stall check or inspect with %s',
    async (_, inputSchema) => {
      const place = new CommandPlace();
      place.write(
        't.jsonl',
        traceOf({ tools: [{ name: 't', inputSchema, outputSchema: inputSchema }], args: { a: TEXT, [TEXT]: 1 } }),
      );
      // In a process of its own, a command that stalls can be ended.
      expect([0, 3]).toContain((await place.runBuilt(['check', 't.jsonl'])).code);
      expect([0, 3]).toContain((await place.run(['inspect', '--findings', 't.jsonl'])).code);
    },
  );

  it('reports a note if a call was not checked against a hostile schema', async () => {
    const place = new CommandPlace();
    const inputSchema = { $ref: '#/examples', examples: { pattern: EVIL } };
    place.write('t.jsonl', traceOf({ tools: [{ name: 't', inputSchema }], args: { a: TEXT } }));
    expect((await place.run(['inspect', '--findings', 't.jsonl'])).stdout).toContain('Calls of t were not checked');
    expect((await place.run(['check', 't.jsonl'])).stderr).toMatch(
      /^t\.jsonl: Calls of t were not checked against its inputSchema: .*\nNo findings in 1 session\n$/,
    );
  });
});
