import { describe, expect, it } from 'vitest';
import { diffSessions, type SessionDiff } from '../../../src/analysis/diff/diff.ts';
import { IgnoreRules } from '../../../src/analysis/diff/ignore-rules.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { message, response, session } from '../../../test/contract/factories.ts';
import { choicesForContract, choicesForValue } from './diff-rules.ts';

function exchange(method: string, params: object, result: unknown): Entry[] {
  return [
    message({ text: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) }),
    response({ proxyId: 'a', text: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) }),
  ];
}

function compare(a: readonly Entry[], b: readonly Entry[], rules: readonly string[] = []): Promise<SessionDiff> {
  const sessions = { a: session(a), b: session(b) };
  return diffSessions(sessions, { profile: 'semantic', ignore: new IgnoreRules(rules) });
}

const countOf = ({ contract, sequence, values }: SessionDiff): number =>
  contract.length + sequence.length + values.length;

const schema = (properties: object, required: readonly string[] = []): object => ({
  inputSchema: { type: 'object', properties, required },
});
const tools = (tool: object): Entry[] => exchange('tools/list', {}, { tools: [{ name: 't', ...tool }] });
const prompts = (args: readonly object[]): Entry[] =>
  exchange('prompts/list', {}, { prompts: [{ name: 'p', arguments: args }] });
const greets = (result: object): Entry[] => exchange('initialize', {}, { capabilities: {}, ...result });

describe('choicesForContract', () => {
  it.each([
    ['a description', tools({ description: 'a' }), tools({ description: 'b' })],
    ['a type', tools(schema({ n: { type: 'number' } })), tools(schema({ n: { type: 'integer' } }))],
    ['a member', tools(schema({})), tools(schema({ 'odd name': { type: 'integer' } }, ['odd name']))],
    ['a need', tools(schema({ n: {} })), tools(schema({ n: {} }, ['n']))],
    [
      'a need within',
      tools(schema({ o: { properties: { n: {} } } })),
      tools(schema({ o: { properties: { n: {} }, required: ['n'] } })),
    ],
    ['an argument', prompts([{ name: 'x' }]), prompts([])],
    ['a need of an argument', prompts([{ name: 'x' }]), prompts([{ name: 'x', required: true }])],
    ['a capability', greets({ capabilities: { tools: {} } }), greets({})],
    ['the revision', greets({ protocolVersion: '2025-06-18' }), greets({ protocolVersion: '2025-11-25' })],
    [
      'a resource',
      exchange('resources/list', {}, { resources: [{ uri: 'file:///a', title: 'a' }] }),
      exchange('resources/list', {}, { resources: [{ uri: 'file:///a', title: 'b' }] }),
    ],
  ])('offers rules that ignore the difference: %s', async (_, a, b) => {
    const before = await compare(a, b);
    expect(before.contract.length).toBeGreaterThan(0);
    const rules = before.contract.flatMap((difference) => choicesForContract(difference)[0]?.rules ?? []);
    expect(countOf(await compare(a, b, rules))).toBe(0);
  });

  it('offers no rule for a tool that was removed', async () => {
    const { contract } = await compare(tools({}), exchange('tools/list', {}, { tools: [] }));
    expect(contract.map(choicesForContract)).toEqual([[]]);
  });
});

describe('choicesForValue', () => {
  const calls = (name: string, result: unknown): Entry[] => exchange('tools/call', { name }, result);

  it('offers rules for the tool before rules for all messages, each for one list element and for all', async () => {
    const { values } = await compare(calls('my tool', { rows: [{ n: 1 }] }), calls('my tool', { rows: [{ n: 2 }] }));
    expect(values.flatMap(choicesForValue)).toEqual([
      { covers: 'in my tool', rules: ['tool:"my tool" $.result.rows[0].n'] },
      { covers: 'in my tool', rules: ['tool:"my tool" $.result.rows[*].n'] },
      { covers: 'everywhere', rules: ['$.result.rows[0].n'] },
      { covers: 'everywhere', rules: ['$.result.rows[*].n'] },
    ]);
  });

  it.each(['plain', 'my tool', 'a"b', "it's"])(
    'offers only rules that ignore the difference, for a tool named %s',
    async (name) => {
      const [a, b] = [calls(name, { "it's": [{ 'a.b': 1 }] }), calls(name, { "it's": [{ 'a.b': 2 }] })];
      const { values } = await compare(a, b);
      const choices = values.flatMap(choicesForValue);
      expect(choices.length).toBeGreaterThan(1);
      for (const { rules } of choices) expect(countOf(await compare(a, b, rules))).toBe(0);
    },
  );

  it('offers no rule for a whole response', async () => {
    const failed = [message({ text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}' })];
    const { values } = await compare(calls('x', {}), failed);
    expect(values.map(({ path }) => path)).toEqual(['$']);
    expect(values.flatMap(choicesForValue)).toEqual([]);
  });
});
