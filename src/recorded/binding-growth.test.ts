import { expect, it } from 'vitest';
import { expectLinearGrowth } from '../../test/support/growth.ts';
import { sessionOf } from '../../test/support/replay/sample-talk.ts';
import { BoundValues } from './bound-values.ts';
import { dialoguesOf, type RecordedDialogue } from './recorded-dialogue.ts';
import { ReusedValues } from './reused-values.ts';

const padded = (index: number): string => String(index).padStart(6, '0');
const wasCalled = (index: number): string => `note-${padded(index)}`;
const isCalled = (index: number): string => `item-${padded(index)}`;
const call = (index: number): object => ({
  jsonrpc: '2.0',
  id: index + 2,
  method: 'tools/call',
  params: { name: 'get', arguments: { id: wasCalled(index), path: `/notes/${wasCalled(index)}/text` } },
});

function listOf(count: number, idOf: (index: number) => string): object {
  const notes = Array.from({ length: count }, (_, index) => ({ id: idOf(index), title: `Title ${index}` }));
  return { jsonrpc: '2.0', id: 1, result: { notes } };
}

async function replayOf(count: number): Promise<() => void> {
  const recorded = listOf(count, wasCalled);
  const calls = Array.from({ length: count }, (_, index) => call(index));
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list', arguments: {} } };
  const dialogues = await dialoguesOf(sessionOf(['>', list, '<', recorded, '>', ...calls]), 'target');
  const texts = calls.map((text) => JSON.stringify(text));
  const [was, is] = [JSON.stringify(recorded), JSON.stringify(listOf(count, isCalled))];
  return () => {
    const reused = new ReusedValues(dialogues[0] as RecordedDialogue);
    const bound = new BoundValues((value) => reused.has(value));
    bound.learn(was, is, 'tools/call');
    const sent = texts.filter((text, index) => bound.toLive(text, 'tools/call').text.includes(isCalled(index)));
    expect(sent).toHaveLength(count);
  };
}

it('binds and restores a list of ids in time that grows only with their number', async () => {
  const [small, large] = [await replayOf(100), await replayOf(1600)];
  await expectLinearGrowth({ small, large, times: 16 });
});
