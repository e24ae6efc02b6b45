import { describe, expect, it } from 'vitest';
import type { Entry } from '../model/entry.ts';
import { EntryMaker } from './entry-maker.ts';

it('records a gap for a line that exceeds the maximum string length', () => {
  const bytes = new Uint8Array(0x1fffffe8);
  const entries: Entry[] = [];
  new EntryMaker('id').addFrame({ kind: 'binary', bytes }, 'server_to_client', 0, entries);
  expect(entries).toMatchObject([{ kind: 'event', event: 'mcpreel.gap', raw: expect.stringContaining('"missed":1') }]);
});

describe('a batch with members that are not messages', () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const texts = ['1', ping, '[2]'];

  it('records invalid members of a batch as events with their position, and numbers only messages', () => {
    const entries: Entry[] = [];
    const maker = new EntryMaker('id');
    maker.addFrame({ kind: 'batch', texts }, 'client_to_server', 0, entries, { conversation: 3 });
    maker.addFrame({ kind: 'batch', texts: [ping] }, 'client_to_server', 0, entries);
    expect(entries).toMatchObject([
      { event: 'stdio.noise', conversation: 3, raw: '{"dir":"in","text":"1","batch":{"frame":0,"index":0,"of":3}}' },
      { kind: 'message', sequence: 0, text: ping, batch: '{"frame":0,"index":1,"of":3}' },
      { event: 'stdio.noise', raw: '{"dir":"in","text":"[2]","batch":{"frame":0,"index":2,"of":3}}' },
      { kind: 'message', sequence: 1, batch: '{"frame":1,"index":0,"of":1}' },
    ]);
  });

  it('records the decisions about invalid members of a batch that were held', () => {
    const entries: Entry[] = [];
    const decisions = [{ action: 'drop' }, { action: 'forward' }, { action: 'edit', text: ping }] as const;
    const settled = texts.map((text, index) => ({
      ...{ id: `m${index}`, text, atMs: 0, inBatch: true },
      decision: decisions[index] ?? { action: 'drop' },
    }));
    new EntryMaker('id').addSettled(settled, 'client_to_server', entries);
    expect(entries).toMatchObject([
      { event: 'stdio.noise', raw: expect.stringContaining('"id":"m0","dropped":true}') as string },
      { kind: 'message', sequence: 0, proxyId: 'm1', text: ping },
      { kind: 'message', sequence: 1, proxyId: 'm2', text: ping, original: '[2]', modified: true },
    ]);
  });
});
