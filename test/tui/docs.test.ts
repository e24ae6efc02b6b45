import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { SampleTrace, said } from './sample-traces.ts';
import { KEYS, TuiTerminal } from './tui-terminal.ts';

const page = readFileSync(new URL('../../docs/tui.md', import.meta.url), 'utf8');
const captures = [...page.matchAll(/^```text\n(.*?)^```$/gms)].map(([, capture = '']) => capture.trimEnd());

/** The session of the captures. */
function sampleSession(): SampleTrace {
  const notes = JSON.stringify({ title: 'Notes', tags: ['draft', '日本語'] });
  const call = (id: number, name: string, args: unknown): unknown => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  return new SampleTrace()
    .message('in', 2, { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } })
    .message('out', 33, { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } })
    .message('in', 35, { jsonrpc: '2.0', method: 'notifications/initialized' })
    .call(1, 1204, 'read_file', { path: '/home/me/notes.json' }, said(notes))
    .stderr(1240, 'cache is cold')
    .message('in', 2410, call(2, 'search', { q: 'invoice' }), {
      modified: true,
      original: call(2, 'search', { q: '*' }),
    })
    .message('out', 2660, { jsonrpc: '2.0', id: 2, result: { content: [] } })
    .call(3, 3002, 'read_file', { path: '/etc/shadow' }, { error: { code: -32602, message: 'Not allowed' } })
    .message('in', 4100, call(4, 'delete', { path: '/home/me' }), { dropped: true });
}

describe('docs/tui.md', { timeout: 60_000 }, () => {
  it.each([
    ['the whole screen', 0, 120, 22, ['x', 'g', 'j', 'j', 'j', 'j'], /"日本語"[\s\S]*└/],
    [
      'a message that was changed',
      1,
      80,
      24,
      ['g', 'j', 'j', 'j', 'j', 'j', 'j', KEYS.enter],
      /"method": "tools\/call"/,
    ],
    ['a small window', 2, 40, 10, [], /1 err/],
  ])('shows %s as the program draws it', async (_, index, columns, rows, keys, isThere) => {
    const place = new Place();
    const tui = new TuiTerminal(`tui ${sampleSession().write(place)}`, place, { columns, rows });
    await tui.shows(/10 (messages|msg)/);
    tui.press(...keys);
    await tui.shows(isThere);
    const shown = (): string => tui.screen().replace(/[ \t]+$/gm, '');
    if (process.env.MCPREEL_CAPTURES) process.stdout.write(`\n${shown()}\n`);
    // The terminal may receive one screen in several parts.
    await expect.poll(shown).toBe(captures[index]);
  });
});
