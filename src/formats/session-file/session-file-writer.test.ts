import { describe, expect, it } from 'vitest';
import {
  event,
  footer,
  fullSession,
  header,
  message,
  NOON_MS,
  response,
  session,
} from '../../../test/contract/factories.ts';
import { convert, corpusText, readAll, writeAll } from '../../../test/contract/files.ts';
import { sessionFile } from './session-file.ts';

const write = (of: Parameters<typeof writeAll>[1]): Promise<string> => writeAll(sessionFile, of);
const rewrite = (text: string): Promise<string> => convert(sessionFile, text, sessionFile);

describe('writing a session file', () => {
  it('writes all keys in the order of the format', async () => {
    const plain = footer({ exitCode: undefined });
    expect(
      await write(session([message({ atMs: NOON_MS + 123 }), response({ proxyId: 'msg-002' })], { footer: plain })),
    ).toBe(`{
  "id": "550e8400-e29b-41d4-a716-446655440000",
  "started_at": "2026-03-04T12:00:00+00:00",
  "ended_at": "2026-03-04T12:00:30+00:00",
  "transport": "stdio",
  "server_command": "python -m my_server",
  "server_url": null,
  "messages": [
    {
      "proxy_id": "msg-001",
      "sequence": 0,
      "timestamp": "2026-03-04T12:00:00.123+00:00",
      "direction": "client_to_server",
      "transport": "stdio",
      "jsonrpc_id": 1,
      "method": "tools/list",
      "correlated_id": null,
      "modified": false,
      "payload": {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    },
    {
      "proxy_id": "msg-002",
      "sequence": 1,
      "timestamp": "2026-03-04T12:00:00+00:00",
      "direction": "server_to_client",
      "transport": "stdio",
      "jsonrpc_id": 1,
      "method": null,
      "correlated_id": "msg-001",
      "modified": false,
      "payload": {"jsonrpc":"2.0","id":1,"result":{}}
    }
  ],
  "metadata": {}
}
`);
  });

  it('writes all keys for an empty session too', async () => {
    expect(await write(session([], { header: header({ command: [], label: 'session' }) }))).toBe(`{
  "id": "550e8400-e29b-41d4-a716-446655440000",
  "started_at": "2026-03-04T12:00:00+00:00",
  "ended_at": null,
  "transport": "stdio",
  "server_command": null,
  "server_url": null,
  "messages": [],
  "metadata": {}
}
`);
  });

  it('writes an original payload only for a modified message', async () => {
    const text = await write(session([message(), message({ modified: true, original: '{"seen":1}' })]));
    expect(text.match(/"original_payload"/g)).toHaveLength(1);
    expect(text).toContain(
      '"payload": {"jsonrpc":"2.0","id":1,"method":"tools/list"},\n      "original_payload": {"seen":1}\n    }',
    );
  });

  it('keeps the type of a JSON-RPC id', async () => {
    const ids = ['1', '"1"', '1.0', '12345678901234567890'];
    const text = await write(session(ids.map((id) => message({ text: `{"id":${id},"method":"x"}` }))));
    expect([...text.matchAll(/"jsonrpc_id": (.*),/g)].map(([, id]) => id)).toEqual(ids);
  });

  it('writes mcpreel-specific data in keys that other readers ignore', async () => {
    const text = await write(fullSession());
    const file = JSON.parse(text) as {
      messages: Record<string, unknown>[];
      events: { before: number }[];
      trace: object;
    };
    expect(Object.keys(file)).toEqual([
      ...['id', 'started_at', 'ended_at', 'transport', 'server_command', 'server_url', 'messages', 'metadata'],
      ...['trace', 'tool', 'events'],
    ]);
    expect(file.events.map(({ before }) => before)).toEqual([0, 2, 3, 8]);
    expect(file.trace).toEqual({
      meta: { label: 'demo', kind: 'mcp', producer: { name: 'mcpreel' } },
      end: { exitCode: 143, signal: 'SIGTERM', durationMs: 30_000, cpuMs: 12 },
    });
    expect(file.messages[5]).toMatchObject({ sent_text: 'no { JSON \r\n\u2028', batch: { frame: 5, index: 0, of: 2 } });
  });

  it('writes UTF-8 without escapes', async () => {
    const text = '{"method":"é🦊\u2028"}';
    expect(await write(session([message({ text, proxyId: 'ü' })]))).toContain('"method": "é🦊\u2028"');
  });

  it('writes more events than fit in memory by reading the session again', async () => {
    const raw = `{"text":"${'x'.repeat(1 << 20)}"}`;
    const entries = Array.from({ length: 18 }, (_, n) => (n % 6 === 3 ? message() : event({ raw, atMs: NOON_MS + n })));
    const text = await write(session(entries));
    const copy = await readAll(sessionFile, text);
    expect(copy.entries.map((entry) => (entry.kind === 'event' ? entry.atMs - NOON_MS : entry.kind))).toEqual(
      entries.map((_, n) => (n % 6 === 3 ? 'message' : n)),
    );
  });
});

describe('rewriting a session file', () => {
  it('rewrites the example session byte for byte', async () => {
    expect(await rewrite(corpusText('session-file/seed-example.json'))).toBe(
      corpusText('session-file/seed-example.json'),
    );
  });

  it('rewrites the example with seven messages byte for byte', async () => {
    expect(await rewrite(corpusText('session-file/seven-messages.json'))).toBe(
      corpusText('session-file/seven-messages.json'),
    );
  });

  it('keeps every existing value and adds missing keys', async () => {
    for (const name of ['by-hand', 'http', 'modified', 'messages-first']) {
      const original = JSON.parse(corpusText(`session-file/${name}.json`)) as object;
      expect(JSON.parse(await rewrite(corpusText(`session-file/${name}.json`)))).toMatchObject(original);
    }
  });

  it('keeps a `trace` member of another tool', async () => {
    const file = (of: string): string =>
      `{"id":"s","trace":${of},"messages":[{"direction":"client_to_server","proxy_id":"p","payload":{},"trace":${of}}]}`;
    for (const foreign of ['"4bf92f"', '{"id":"4bf92f"}', '{}', 'null', '{"meta":7}', '{"raw":{}}']) {
      const rewritten = JSON.parse(await rewrite(file(foreign))) as object;
      expect(rewritten).toMatchObject(JSON.parse(file(foreign)) as object);
    }
  });
});
