import { describe, expect, it } from 'vitest';
import { BoundValues } from './bound-values.ts';

function answer(result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result });
}

function request(params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'x/y', params });
}

describe('values that one side generates and the other sends back', () => {
  it('replaces the recorded cursor with the cursor of the live server', () => {
    const bound = new BoundValues();
    bound.learn(answer({ tools: [], nextCursor: '2' }), answer({ tools: [], nextCursor: 'b' }), 'tools/list');
    expect(bound.toLive(request({ cursor: '2' }), 'tools/list')).toBe(request({ cursor: 'b' }));
    expect(bound.toRecorded(request({ cursor: 'b' }), 'tools/list')).toBe(request({ cursor: '2' }));
  });

  it('does not use the cursor of one list for another', () => {
    const bound = new BoundValues();
    bound.learn(answer({ nextCursor: '2' }), answer({ nextCursor: 'b' }), 'tools/list');
    expect(bound.toLive(request({ cursor: '2' }), 'prompts/list')).toBe(request({ cursor: '2' }));
  });

  it.each([
    ['a task', { task: { taskId: 't1' } }, { task: { taskId: 't2' } }, { taskId: 't1' }, { taskId: 't2' }],
    ['a state', { requestState: 's1' }, { requestState: 's2' }, { requestState: 's1' }, { requestState: 's2' }],
    [
      'a related task',
      { task: { taskId: 't1' } },
      { task: { taskId: 't2' } },
      { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't1' } } },
      { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't2' } } },
    ],
    [
      'an address',
      { content: [{ uri: 'a://x' }] },
      { content: [{ uri: 'a://y' }] },
      { uri: 'a://x' },
      { uri: 'a://y' },
    ],
    [
      'an id in a text that holds JSON',
      { content: [{ type: 'text', text: '{"id":17}' }] },
      { content: [{ type: 'text', text: '{"id":18}' }] },
      { arguments: { id: 17 } },
      { arguments: { id: 18 } },
    ],
  ])('replaces %s with its live value', (_, recorded, live, sent, expected) => {
    const bound = new BoundValues();
    bound.learn(answer(recorded), answer(live));
    expect(bound.toLive(request(sent))).toBe(request(expected));
  });

  it('does not replace values that are equal by coincidence', () => {
    const bound = new BoundValues();
    bound.learn(answer({ content: [{ text: 'old' }], total: 3 }), answer({ content: [{ text: 'new' }], total: 4 }));
    const sent = request({ arguments: { word: 'old', total: 3 } });
    expect(bound.toLive(sent)).toBe(sent);
  });

  it('replaces a folder within paths, but not a folder whose name only starts the same', () => {
    const bound = new BoundValues();
    bound.learn(answer({ roots: [{ uri: 'file:///tmp/old' }] }), answer({ roots: [{ uri: 'file:///tmp/new' }] }));
    expect(bound.toRecorded(request({ path: '/tmp/new/a.txt' }))).toBe(request({ path: '/tmp/old/a.txt' }));
    expect(bound.toRecorded(request({ path: '/tmp/newer/a.txt' }))).toBe(request({ path: '/tmp/newer/a.txt' }));
  });

  it('changes nothing in a message but the values', () => {
    const bound = new BoundValues();
    bound.learn(answer({ requestState: 'one' }), answer({ requestState: 'two' }));
    const text = '{ "id" : 1.0, "params":{"requestState" : "\\u006fne","n":12345678901234567890} }';
    expect(bound.toLive(text)).toBe(text.replace('"\\u006fne"', '"two"'));
  });
});
