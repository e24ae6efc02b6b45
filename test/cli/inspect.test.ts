import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { jsonLines } from '../support/recordings.ts';
import { EXACT_TEXT, seedExample, sessionText } from '../support/session-texts.ts';

/** Returns the output of `inspect` for a session file; the command must succeed without errors. */
async function inspect(content: string, ...flags: string[]): Promise<string> {
  const place = new CommandPlace();
  const { code, stdout, stderr } = await place.run(['inspect', place.write('session.json', content), ...flags]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('inspect', () => {
  it('prints the example of the format description as a header and two messages', async () => {
    expect(await inspect(seedExample)).toBe(`Session: 550e8400-e29b-41d4-a716-446655440000
Transport: stdio
Server command: python -m my_server
Messages: 2

  #000 > initialize id=1
  #001 < (response) id=1 corr=msg-001
`);
  });

  it('prints the listing of the format description for its seven messages', async () => {
    const listing = sessionText([
      { payload: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}' },
      { from: '<', payload: '{"jsonrpc":"2.0","id":1,"result":{}}', more: '"correlated_id": "msg-001"' },
      { payload: '{"jsonrpc":"2.0","method":"notifications/initialized"}' },
      { payload: '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}' },
      { from: '<', payload: '{"jsonrpc":"2.0","id":2,"result":{}}', more: '"correlated_id": "msg-003"' },
      { payload: '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"b"}}' },
      { from: '<', payload: '{"jsonrpc":"2.0","id":3,"result":{}}', more: '"correlated_id": "msg-005"' },
    ]);
    expect(await inspect(listing)).toBe(`Session: 550e8400-e29b-41d4-a716-446655440000
Transport: stdio
Server command: python my_server.py
Messages: 7

  #000 > initialize id=1
  #001 < (response) id=1 corr=msg-001
  #002 > notifications/initialized
  #003 > tools/call id=2
  #004 < (response) id=2 corr=msg-003
  #005 > tools/call id=3
  #006 < (response) id=3 corr=msg-005
`);
  });

  it('shows the URL instead of the command for a server over HTTP', async () => {
    const overHttp = sessionText([])
      .replace('"transport": "stdio"', '"transport": "streamable-http"')
      .replace('"server_command": "python my_server.py"', '"server_command": null')
      .replace('"server_url": null', '"server_url": "https://example.com/mcp"');
    expect(await inspect(overHttp)).toBe(`Session: 550e8400-e29b-41d4-a716-446655440000
Transport: streamable-http
Server URL: https://example.com/mcp
Messages: 0
`);
  });

  it('marks modified, dropped and injected messages', async () => {
    const ping = '{"jsonrpc":"2.0","method":"ping"}';
    const marked = sessionText([
      { payload: ping, more: `"modified": true, "original_payload": ${ping}` },
      { payload: ping, more: '"dropped": true' },
      { payload: ping, more: '"injected": true' },
      { payload: ping },
    ]);
    expect(await inspect(marked)).toContain(`
  #000 > ping [MODIFIED]
  #001 > ping [DROPPED]
  #002 > ping [INJECTED]
  #003 > ping
`);
  });

  it('numbers messages beyond three digits', async () => {
    const lines = Array.from({ length: 1001 }, (_, n) => ({ payload: `{"jsonrpc":"2.0","id":${n},"method":"ping"}` }));
    const stdout = await inspect(sessionText(lines));
    expect(stdout).toContain('\n  #999 > ping id=999\n  #1000 > ping id=1000\n');
  });
});

describe('inspect -v', () => {
  it('indents payloads by seven spaces and keeps their numbers, escapes and key order', async () => {
    const stdout = await inspect(sessionText([{ payload: EXACT_TEXT }]), '-v');
    expect(stdout.split('\n\n')[1]).toBe(`  #000 > x id=12345678901234567890
       {
         "jsonrpc": "2.0",
         "id": 12345678901234567890,
         "method": "x",
         "params": {
           "b": 1.0,
           "a": "\\u00e9",
           "__proto__": {
             "y": 1e400
           }
         }
       }
`);
  });

  it('shows the original after a modified message', async () => {
    const message = {
      payload: '{"jsonrpc":"2.0","method":"a","params":{"q":"new"}}',
      more: '"modified": true, "original_payload": {"jsonrpc":"2.0","method":"a","params":{"q":"old"}}',
    };
    const stdout = await inspect(sessionText([message]), '--verbose');
    expect(stdout.split('\n\n')[1]).toBe(`  #000 > a [MODIFIED]
       {
         "jsonrpc": "2.0",
         "method": "a",
         "params": {
           "q": "new"
         }
       }
       [original]
       {
         "jsonrpc": "2.0",
         "method": "a",
         "params": {
           "q": "old"
         }
       }
`);
  });

  it('prints empty objects and arrays on one line', async () => {
    const stdout = await inspect(sessionText([{ payload: '{ "method":"a", "params":{ }, "list":[\n] }' }]), '-v');
    expect(stdout).toContain(`
       {
         "method": "a",
         "params": {},
         "list": []
       }
`);
  });
});

describe('inspect --json', () => {
  it('prints one line per message and a summary at the end', async () => {
    const lines = jsonLines(await inspect(seedExample, '--json'));
    expect(lines).toHaveLength(3);
    expect(lines[1]).toEqual((JSON.parse(seedExample) as { messages: unknown[] }).messages[1]);
    expect(lines[2]).toEqual({
      summary: expect.objectContaining({
        session: '550e8400-e29b-41d4-a716-446655440000',
        format: 'json',
        transport: 'stdio',
        server_command: 'python -m my_server',
        server_url: null,
        started_at: '2026-03-04T10:00:00+00:00',
        ended_at: '2026-03-04T10:05:30+00:00',
        messages: 2,
        problems: 0,
      }),
    });
  });

  it('prints only a summary for a session without messages', async () => {
    const lines = jsonLines(await inspect(sessionText([]), '--json'));
    expect(lines).toEqual([{ summary: expect.objectContaining({ messages: 0 }) }]);
  });

  it('keeps a payload as it was sent', async () => {
    const [line] = (await inspect(sessionText([{ payload: EXACT_TEXT }]), '--json')).split('\n');
    expect(line).toContain(`"payload":${EXACT_TEXT}`);
    expect(line).toContain('"jsonrpc_id":12345678901234567890,');
  });
});
