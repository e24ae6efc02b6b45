import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { converse } from '../http/rich-talk.ts';
import { CommandPlace } from '../support/command-place.ts';
import { startConformanceServer } from '../support/conformance-server.ts';
import { startProxy } from '../support/http-proxy.ts';
import { type Json, jsonLines } from '../support/recordings.ts';
import { connectV1, connectV2Modern } from '../support/sdk-clients.ts';
import { sessionText } from '../support/session-texts.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

const talk = sessionText([
  { payload: '{"jsonrpc":"2.0","id":12345678901234567890,"method":"initialize","params":{}}' },
  { from: '<', payload: '{"jsonrpc":"2.0","id":12345678901234567890,"result":{}}' },
  { payload: '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{}}}' },
  { payload: '{"jsonrpc":"2.0","id":"3","method":"tools/call","params":{"name":"bad"}}' },
  { from: '<', payload: '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"busy"}}' },
  { from: '<', payload: '{"jsonrpc":"2.0","id":"3","error":{"code":-32602,"message":"No such\\ttool"}}' },
  { from: '<', payload: '{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{}}' },
  { payload: '{"jsonrpc":"2.0","id":0,"result":{"action":"accept"}}' },
  { from: '<', payload: '{"jsonrpc":"2.0","id":9,"result":{}}' },
  { from: '<', payload: '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}' },
  { payload: '{"jsonrpc":"2.0","id":4,"method":"tools/list"}' },
]);

async function inspectCalls(content: string, ...flags: string[]): Promise<string> {
  const place = new CommandPlace();
  const { code, stdout, stderr } = await place.run(['inspect', '--calls', place.write('s.json', content), ...flags]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The calls of a recording as JSON, without the summary. */
async function callsIn(place: CommandPlace, trace: string): Promise<Json[]> {
  const { stdout } = await place.run(['inspect', '--calls', '--json', trace]);
  return jsonLines(stdout).filter((line) => !('summary' in line));
}

function outcomes(calls: readonly Json[]): string[] {
  return calls.map(({ method, name, status }) => `${method}${name === null ? '' : ` ${name}`}: ${status}`);
}

describe('inspect --calls', () => {
  it('prints requests with their outcome and duration, in the order of the requests', async () => {
    expect(await inspectCalls(talk)).toBe(`Session: 550e8400-e29b-41d4-a716-446655440000
Server: my_server

  #000 > initialize          ok            1.00 s
  #002 > tools/call slow     ok            6.00 s  waited 1.00 s for the user, server requests #006
  #003 > tools/call bad      error         2.00 s  -32602 No such\\ttool
  #006 < elicitation/create  ok            1.00 s
  #008 < (response)          orphan             -  no request has this id
  #010 > tools/list          pending            -

5 calls, 1 error, 1 pending, 1 orphan
`);
  });

  it('prints a line of JSON per call, then a summary', async () => {
    const lines = (await inspectCalls(talk, '--json')).split('\n');
    expect(lines[0]).toBe(
      '{"sequence":0,"jsonrpc_id":12345678901234567890,"method":"initialize","name":null,' +
        '"direction":"client_to_server","conversation":0,"timestamp":"2026-03-04T10:00:01+00:00","status":"ok",' +
        '"answer":1,"duration_ms":1000,"human_ms":0,"error":null,"size":{"sent":2,"received":2},"rounds":[],' +
        '"progress":[],"logs":[],"nested":[],"cancelled_by":null,"superseded_by":null,"task":null,"origin":null,' +
        '"probe":false,"server":null,"modified":false,"dropped":false,"injected":false}',
    );
    expect(jsonLines(lines.slice(1).join('\n'))).toEqual([
      expect.objectContaining({ sequence: 2, name: 'slow', duration_ms: 6000, human_ms: 1000, nested: [6] }),
      expect.objectContaining({ sequence: 3, status: 'error', error: { code: -32602, message: 'No such\ttool' } }),
      expect.objectContaining({ sequence: 6, direction: 'server_to_client', status: 'ok' }),
      {
        orphan: {
          sequence: 8,
          jsonrpc_id: 9,
          direction: 'server_to_client',
          conversation: 0,
          why: 'unknown-id',
          modified: false,
          dropped: false,
          injected: false,
        },
      },
      expect.objectContaining({ sequence: 10, status: 'pending', answer: null, duration_ms: null }),
      {
        summary: {
          session: '550e8400-e29b-41d4-a716-446655440000',
          label: 'my_server',
          format: 'json',
          calls: 5,
          orphans: 1,
          by_status: { ok: 3, error: 1, pending: 1, cancelled: 0, late: 0, stream: 0 },
          problems: 0,
        },
      },
    ]);
  });

  it('prints only calls that match a filter, with their outcome in the whole session', async () => {
    expect(await inspectCalls(talk, '--filter', 'tool:slow')).toBe(`Session: 550e8400-e29b-41d4-a716-446655440000
Server: my_server

  #002 > tools/call slow  ok            6.00 s  waited 1.00 s for the user, server requests #006

1 call
`);
  });

  it('reports a session without calls', async () => {
    expect(await inspectCalls(sessionText([]))).toBe(`Session: 550e8400-e29b-41d4-a716-446655440000
Server: my_server

0 calls
`);
  });

  it.each([
    ['--calls', '--stats'],
    ['--calls', '--findings'],
    ['--stats', '--findings'],
  ])('rejects two views at once: %s and %s', async (one, other) => {
    const place = new CommandPlace();
    const { code, stdout } = await place.run(['inspect', one, other, place.write('s.json', talk)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('the calls of real recordings', () => {
  it('reports the calls of a stdio session: nested requests, progress, a cancelled call and a task', async () => {
    const place = new CommandPlace();
    const connected = await connectV1({ place, args: ['--trace-file', 't.jsonl', '--', process.execPath, everything] });
    await converse(connected);
    await connected.client.close();
    const calls = await callsIn(place, 't.jsonl');
    expect(outcomes(calls).filter((line) => line.startsWith('tools/call'))).toEqual([
      'tools/call echo: ok',
      'tools/call no-such-tool: error',
      'tools/call trigger-long-running-operation: ok',
      'tools/call get-sum: ok',
      'tools/call trigger-sampling-request: ok',
      'tools/call trigger-elicitation-request: ok',
      'tools/call get-roots-list: ok',
      'tools/call toggle-subscriber-updates: ok',
      'tools/call toggle-subscriber-updates: ok',
      'tools/call toggle-simulated-logging: ok',
      'tools/call toggle-simulated-logging: ok',
      'tools/call trigger-long-running-operation: cancelled',
      'tools/call simulate-research-query: ok',
      'tools/call gzip-file-as-resource: ok',
    ]);
    const named = (name: string): Json | undefined => calls.find((call) => call.name === name);
    const requested = (method: string): Json | undefined => calls.find((call) => call.method === method);
    expect(named('trigger-long-running-operation')).toMatchObject({ progress: { length: 4 } });
    expect(named('trigger-sampling-request')?.nested).toContain(requested('sampling/createMessage')?.sequence);
    expect(named('trigger-elicitation-request')).toMatchObject({
      // The server sends roots/list at some point, which may be during this call.
      nested: expect.arrayContaining([requested('elicitation/create')?.sequence]),
      human_ms: requested('elicitation/create')?.duration_ms,
    });
    const research = named('simulate-research-query');
    expect(research?.task).toMatchObject({ id: expect.any(String), status: 'cancelled' });
    expect(requested('tasks/get')?.origin).toBe(research?.sequence);
    expect(requested('tasks/cancel')?.origin).toBe(research?.sequence);
  });

  it('reports the calls of the newest revision over HTTP: retries, a stream, clients with equal ids', async () => {
    const server = await startConformanceServer();
    onTestFinished(async () => void (await server.stop()));
    const place = new CommandPlace();
    const proxy = await startProxy(place, ['--target-url', server.url]);
    const way = { url: proxy.url, transport: 'streamable-http' } as const;
    const clients = [await connectV2Modern(way), await connectV2Modern(way)] as const;
    const [{ call, listen, noted }, other] = clients;
    await Promise.all([
      call('test_input_required_result_elicitation', {}),
      other.call('test_tool_with_progress', {}, { onprogress: () => undefined }),
    ]);
    const changes = await listen({ toolsListChanged: true });
    await call('test_trigger_tool_change', {});
    await noted.hears('notifications/tools/list_changed');
    await changes.close();
    const giving = new AbortController();
    const begun = { signal: giving.signal, onprogress: () => giving.abort('enough') };
    await expect(other.call('test_wait', {}, begun)).rejects.toThrow();
    // mcpreel notices a moment later that the client closed the exchange.
    await vi.waitFor(() => expect(place.read('trace.jsonl')).toContain('the client left'));
    await Promise.all(clients.map(({ leave }) => leave()));
    await proxy.stop();

    const calls = await callsIn(place, 'trace.jsonl');
    expect(outcomes(calls).sort()).toEqual([
      'server/discover: ok',
      'server/discover: ok',
      'subscriptions/listen: stream',
      'tools/call test_input_required_result_elicitation: ok',
      'tools/call test_tool_with_progress: ok',
      'tools/call test_trigger_tool_change: ok',
      'tools/call test_wait: cancelled',
    ]);
    expect(calls.find(({ name }) => name === 'test_tool_with_progress')).toMatchObject({ progress: { length: 3 } });
    const requested = calls.find(({ name }) => name === 'test_input_required_result_elicitation');
    expect(requested).toMatchObject({ rounds: { length: 1 } });
    expect(requested?.human_ms).toBeLessThan(Number(requested?.duration_ms));
  });
});
