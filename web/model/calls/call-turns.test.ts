import { describe, expect, it } from 'vitest';
import { turnOf } from './call-turns.ts';

function read(record: object): ReturnType<typeof turnOf> {
  return turnOf(7, 0, { kind: 'other', type: 'turn', atMs: 5, text: JSON.stringify(record) });
}

describe('a turn', () => {
  it('reads the role, model, text and other blocks of a turn', () => {
    const blocks = [
      { type: 'text', text: 'First.' },
      { type: 'tool_use', name: 'read_file' },
      { type: 'text', text: 'Second.' },
    ];
    expect(read({ type: 'turn', role: 'assistant', model: 'm-1', blocks })).toMatchObject({
      role: 'assistant',
      model: 'm-1',
      text: 'First.\nSecond.',
      parts: ['tool_use read_file'],
    });
  });

  it('reads a turn without blocks, or with blocks that are not a list', () => {
    expect(read({ type: 'turn', blocks: [] })).toMatchObject({ role: 'somebody', text: '', parts: [] });
    expect(read({ type: 'turn', role: 'user', content: 'hello' })).toMatchObject({ text: 'hello' });
    expect(read({ type: 'turn', role: 'user', blocks: { a: 1 } })).toMatchObject({ text: '' });
  });

  it('cuts a very long turn and marks it as cut', () => {
    const turn = read({ type: 'turn', text: 'x'.repeat(5000) });
    expect(turn.text).toHaveLength(4000);
    expect(turn.isCut).toBe(true);
  });
});
