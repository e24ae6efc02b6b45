import { describe, expect, it } from 'vitest';
import { corpusText, outline, readAll } from '../../../test/contract/files.ts';
import { mcpsnoop } from './mcpsnoop.ts';

describe('an mcpsnoop session log', () => {
  it('reads directions, times and responses', async () => {
    const { session, entries, messages } = await readAll(mcpsnoop, corpusText('mcpsnoop/stdio.jsonl'));
    expect(outline(entries)).toEqual([
      ...['mcpsnoop.meta', 'stdio.stderr', '> initialize', '< answers 0', 'stdio.noise', '< roots/list', '> answers 2'],
    ]);
    expect(entries.map(({ atMs }) => atMs - Date.parse('2026-03-04T10:00:00Z'))).toEqual([
      ...[0, 100, 200, 250, 300, 400, 500],
    ]);
    expect(session.header).toMatchObject({
      id: 'fs-7c1d',
      label: 'filesystem',
      transport: 'stdio',
      command: ['npx', '-y', '@modelcontextprotocol/server-filesystem', '/tmp'],
      startedAtMs: Date.parse('2026-03-04T10:00:00Z'),
    });
    expect(messages[1]?.text).toBe('{"jsonrpc":"2.0","id":0,"result":{"capabilities":{},"big":12345678901234567890}}');
    expect(messages[3]?.keepsakes).toEqual({ transcript: '{"server_label":"filesystem","redacted":true}' });
    expect(entries[1]).toMatchObject({ raw: '{"text":"Secure MCP server \\"filesystem\\" running"}' });
    expect(entries[4]).toMatchObject({ raw: '{"dir":"out","text":"Listening…"}' });
  });

  it('pairs a response with the request on its own connection', async () => {
    const { session, entries } = await readAll(mcpsnoop, corpusText('mcpsnoop/two-connections.jsonl'));
    expect(outline(entries)).toEqual(['> tools/call', '> tools/call', '< answers 1', '< answers 0', 'mcpsnoop.s2c']);
    expect(session.header).toMatchObject({ label: 'api', transport: 'streamable-http' });
  });

  it('pairs a response with a request on another connection if its own has none', async () => {
    const line = (direction: string, conn: string, raw: string): string =>
      `{"session_id":"s","ts":"2026-03-04T10:00:00Z","direction":"${direction}","conn_id":"${conn}","raw":${raw}}\n`;
    const text =
      line('s2c', 'a', '{"jsonrpc":"2.0","id":1,"method":"ping"}') +
      line('c2s', 'b', '{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(outline((await readAll(mcpsnoop, text)).entries)).toEqual(['< ping', '> answers 0']);
  });

  it('uses the previous time for a record with an invalid time, and reports it', async () => {
    const text = corpusText('mcpsnoop/two-connections.jsonl').replace('2026-03-04T10:00:01Z', 'noon');
    const { messages, problems } = await readAll(mcpsnoop, text);
    expect(messages[1]?.atMs).toBe(messages[0]?.atMs);
    expect(problems).toEqual(['line 2: ts is not a time; the time before it is used']);
  });
});
