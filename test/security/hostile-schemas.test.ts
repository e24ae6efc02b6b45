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

describe('a hostile schema', () => {
  it.each(SCHEMAS)('does not stall check or inspect with a pattern %s', async (_, inputSchema) => {
    const place = new CommandPlace();
    place.write(
      't.jsonl',
      traceOf({ tools: [{ name: 't', inputSchema, outputSchema: inputSchema }], args: { a: TEXT, [TEXT]: 1 } }),
    );
    for (const args of [
      ['check', 't.jsonl'],
      ['inspect', '--findings', 't.jsonl'],
    ]) {
      expect([0, 3]).toContain((await place.run(args)).code);
    }
  });

  it('is reported as a note if a call was not checked against it', async () => {
    const place = new CommandPlace();
    const inputSchema = { $ref: '#/examples', examples: { pattern: EVIL } };
    place.write('t.jsonl', traceOf({ tools: [{ name: 't', inputSchema }], args: { a: TEXT } }));
    expect((await place.run(['inspect', '--findings', 't.jsonl'])).stdout).toContain(
      'The inputSchema of t cannot be used',
    );
  });
});
