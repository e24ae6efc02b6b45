import { describe, expect, it } from 'vitest';
import { sessionOf } from '../../test/support/replay/sample-talk.ts';
import type { Difference } from '../analysis/diff/compare-answers.ts';
import { BoundValues } from './bound-values.ts';
import { dialoguesOf } from './recorded-dialogue.ts';
import { ReusedValues } from './reused-values.ts';

const call = (id: number, args: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'a', arguments: args },
});
const answer = (id: number, data: object): object => ({ jsonrpc: '2.0', id, result: data });

async function judge(
  lines: readonly (string | object)[],
  recorded: object,
  live: object,
  difference: Difference,
): Promise<boolean> {
  const [dialogue] = await dialoguesOf(sessionOf(lines), 'target');
  if (dialogue === undefined) throw new Error('No dialogue');
  const reused = new ReusedValues(dialogue);
  const bound = new BoundValues((value) => reused.has(value));
  bound.learn(JSON.stringify(recorded), JSON.stringify(live));
  return reused.explains(difference, bound);
}

const difference = { path: '$.result.orderId', recorded: '"order-71x"', replayed: '"order-92y"' };
const [was, is] = [answer(1, { orderId: 'order-71x' }), answer(1, { orderId: 'order-92y' })];

describe('a value that differs', () => {
  it('explains a difference if the client sent the server-generated value back', async () => {
    const lines = ['>', call(1, {}), '<', was, '>', call(2, { orderId: 'order-71x' })];
    expect(await judge(lines, was, is, difference)).toBe(true);
  });

  it('reports a change if the client never used the value', async () => {
    expect(await judge(['>', call(1, {}), '<', was, '>', call(2, {})], was, is, difference)).toBe(false);
  });

  it('reports a change if the client sent the value first', async () => {
    const lines = ['>', call(1, { orderId: 'order-71x' }), '<', was, '>', call(2, { orderId: 'order-71x' })];
    expect(await judge(lines, was, is, difference)).toBe(false);
  });

  it('reports a change if the client sent the same value by coincidence, under another name', async () => {
    const [three, four] = [answer(1, { total: 3 }), answer(1, { total: 4 })];
    const lines = ['>', call(1, {}), '<', three, '>', call(2, { limit: 3 })];
    expect(await judge(lines, three, four, { path: '$.result.total', recorded: '3', replayed: '4' })).toBe(false);
  });
});

it.each([
  ['under any name', { note: 4711 }, { id: 4711 }, '4711'],
  ['in a path', { path: '/notes/4711' }, { id: 4711 }, '4711'],
  ['that named a member', { id: 'note-2' }, { notes: { 'note-2': {} } }, 'note-2'],
  ['as a member name', { notes: { 'note-2': true } }, { id: 'note-2' }, 'note-2'],
])('knows an id that the client sends back %s', async (_, args, data, value) => {
  const [dialogue] = await dialoguesOf(
    sessionOf(['>', call(1, {}), '<', answer(1, data), '>', call(2, args)]),
    'target',
  );
  if (dialogue === undefined) throw new Error('No dialogue');
  expect(new ReusedValues(dialogue).has(value)).toBe(true);
});
