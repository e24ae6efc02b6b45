import { describe, expect, it } from 'vitest';
import { corpusText, outline, readAll } from '../../../test/contract/files.ts';
import { mcpCassette } from './mcp-cassette.ts';

describe('an mcp-cassette cassette', () => {
  it('reads times relative to the start of the cassette', async () => {
    const { session, entries, messages } = await readAll(mcpCassette, corpusText('mcp-cassette/stdio.jsonl'));
    expect(outline(entries)).toEqual(['stdio.noise', '> tools/call', '< answers 0', 'mcp-cassette.marker']);
    expect(entries.map(({ atMs }) => atMs - Date.parse('2026-08-15T09:00:00Z'))).toEqual([5, 12, 20, 30]);
    expect(session.header).toMatchObject({
      label: 'some-server',
      transport: 'stdio',
      command: ['npx', '-y', 'some-server'],
      startedAtMs: Date.parse('2026-08-15T09:00:00Z'),
    });
    expect(session.header.keepsakes?.transcript).toBe(
      '{"cassetteVersion":2,"recorder":"mcp-cassette@0.3.0","era":"legacy","redaction":{"applied":true}}',
    );
    expect(messages[1]?.keepsakes).toEqual({ transcript: '{"origin":"live"}' });
  });

  it('reads each frame of a stream as a message with its own time', async () => {
    const { session, entries, messages } = await readAll(mcpCassette, corpusText('mcp-cassette/http-stream.jsonl'));
    expect(outline(entries)).toEqual(['> tools/call', '< notifications/progress', '< answers 0']);
    expect(messages.map(({ atMs }) => atMs - Date.parse('2026-08-16T00:00:00.500Z'))).toEqual([1, 3, 90]);
    expect(messages.map(({ sse }) => sse)).toEqual([undefined, '{"event":"message"}', '{"event":"message"}']);
    expect(session.header).toMatchObject({
      label: 'mcp.example.com',
      transport: 'streamable-http',
      url: 'https://mcp.example.com/mcp',
    });
  });

  it('reads a cassette of a newer version as far as possible', async () => {
    const text = corpusText('mcp-cassette/stdio.jsonl').replace('"cassetteVersion":2', '"cassetteVersion":3');
    const { messages, problems } = await readAll(mcpCassette, text);
    expect(messages).toHaveLength(2);
    expect(problems).toEqual(['line 1: cassette version 3 is newer than 2; unknown parts are skipped']);
  });

  it('reads times relative to 0 if the header is missing', async () => {
    const [, ...frames] = corpusText('mcp-cassette/stdio.jsonl').split('\n');
    expect((await readAll(mcpCassette, frames.join('\n'))).messages.map(({ atMs }) => atMs)).toEqual([12, 20]);
  });
});
