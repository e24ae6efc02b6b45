import { describe, expect, it } from 'vitest';
import { corpusText, outline, readAll } from '../../../test/contract/files.ts';
import { compact } from '../../json/layout.ts';
import { mcpRecorder } from './mcp-recorder.ts';

describe('an mcp-recorder cassette', () => {
  it('places each request after the previous response', async () => {
    const { session, entries, messages } = await readAll(mcpRecorder, corpusText('mcp-recorder/http.json'));
    expect(outline(entries)).toEqual([
      ...[
        '> initialize',
        '< answers 0',
        '> notifications/initialized',
        '> tools/call',
        '< answers 3',
        'mcp-recorder.lifecycle',
      ],
    ]);
    const startedAtMs = Date.parse('2026-02-17T20:25:23.855Z');
    expect(entries.map(({ atMs }) => atMs - startedAtMs)).toEqual([0, 7, 7, 8, 26, 26]);
    expect(session.header).toMatchObject({
      startedAtMs,
      label: 'calculator',
      transport: 'streamable-http',
      url: 'http://127.0.0.1:8000',
    });
    expect(messages[1]?.text).toContain('"v": 1.50');
    expect(messages.map(({ sse }) => sse)).toEqual([undefined, '{"event":"message"}', undefined, undefined, undefined]);
    expect(messages[4]?.keepsakes).toEqual({ transcript: '{"type":"jsonrpc_request","response_is_sse":false}' });
  });

  it('uses times relative to 0 if the cassette has no start time', async () => {
    const { session, messages } = await readAll(mcpRecorder, corpusText('mcp-recorder/bare.json'));
    expect(messages.map(({ atMs }) => atMs)).toEqual([0, 5]);
    expect(session.header.startedAtMs).toBe(0);
  });

  it('reads the command of a stdio server', async () => {
    const text = compact(corpusText('mcp-recorder/http.json')).replace('http://127.0.0.1:8000', 'stdio://python s.py');
    expect((await readAll(mcpRecorder, text)).session.header).toMatchObject({
      transport: 'stdio',
      command: ['python', 's.py'],
      url: undefined,
    });
  });

  it('reads a truncated cassette up to the cut, inside its interactions or after them', async () => {
    const text = compact(corpusText('mcp-recorder/http.json'));
    const cut = await readAll(mcpRecorder, text.slice(0, text.indexOf('"type":"notification"')));
    expect(outline(cut.entries)).toEqual(['> initialize', '< answers 0']);
    expect(cut.problems).toEqual(['array: cut off before its end; the rest is not read']);
    const open = await readAll(mcpRecorder, text.slice(0, -1));
    expect(open.messages).toHaveLength(5);
    expect(open.problems).toEqual(['file: cut off before its end; the rest is not read']);
  });
});
