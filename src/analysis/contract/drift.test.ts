import { describe, expect, it } from 'vitest';
import { changesBetween, driftBetween } from './drift.ts';

const tools = (definitions: Readonly<Record<string, string>>): Map<string, string> =>
  new Map(Object.entries(definitions));

describe('driftBetween', () => {
  it('reports added, removed and changed tools, sorted by name', () => {
    const before = tools({ kept: '{"a":1, "b":2}', gone: '{}', other: '{"type":"string"}' });
    const after = tools({ other: '{"type":"number"}', kept: '{"b":2,"a":1.0}', fresh: '{}' });
    expect(driftBetween(before, after, true)).toEqual([
      { tool: 'fresh', kind: 'added', changes: [] },
      { tool: 'gone', kind: 'removed', changes: [] },
      { tool: 'other', kind: 'changed', changes: [{ path: 'type', before: '"string"', after: '"number"' }] },
    ]);
  });

  it('ignores another spelling of the same schema, and reports only what else changed', () => {
    const schema = (required: string): string =>
      `{"description":"d","inputSchema":{"type":"object","properties":{"id":{"enum":["a","b"]}},"required":${required}}}`;
    const before = tools({ same: schema('["a","b"]'), other: schema('["a","b"]') });
    const after = tools({ same: schema('["b","a"]'), other: schema('["b","a"]').replace('"d"', '"e"') });
    expect(driftBetween(before, after, true)).toEqual([
      { tool: 'other', kind: 'changed', changes: [{ path: 'description', before: '"d"', after: '"e"' }] },
    ]);
  });

  it('reports no tool as removed if the listing may be incomplete', () => {
    expect(driftBetween(tools({ a: '{}', b: '{}' }), tools({ a: '{}' }), false)).toEqual([]);
  });
});

describe('changesBetween', () => {
  it('reports the innermost members that differ, and compares arrays as a whole', () => {
    const before = '{"x":{"p":1,"q":{"r":2}},"list":[1,2],"old":true}';
    const after = '{"x":{"p":1,"q":{"r":3}},"list":[2,1],"new":null}';
    expect(changesBetween(before, after)).toEqual([
      { path: 'x.q.r', before: '2', after: '3' },
      { path: 'list', before: '[1,2]', after: '[2,1]' },
      { path: 'old', before: 'true', after: undefined },
      { path: 'new', before: undefined, after: 'null' },
    ]);
  });

  it('finds no changes between two spellings of the same JSON', () => {
    expect(changesBetween('{"a":{"b":1,"c":[1, 2]}}', '{"a": {"c":[1,2.0],"b":1}}')).toEqual([]);
  });

  it('distinguishes numbers that JSON.parse would round to the same value', () => {
    expect(changesBetween('{"n":12345678901234567890}', '{"n":12345678901234567891}')).toHaveLength(1);
  });

  it('handles deeply nested JSON and reports the change at depth 32', () => {
    const deep = (value: string): string => `${'{"a":'.repeat(20_000)}${value}${'}'.repeat(20_000)}`;
    const [change, ...others] = changesBetween(deep('1'), deep('2'));
    expect({ depth: change?.path.split('.').length, others }).toEqual({ depth: 32, others: [] });
  });
});
