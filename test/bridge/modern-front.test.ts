import { describe, expect, it } from 'vitest';
import { modernHeaders } from '../../src/protocol/modern-headers.ts';
import { StreamableInbound } from '../../src/transport/inbound/streamable-inbound.ts';
import { modernRequest, notification, request } from '../support/link-witness.ts';
import { eventsOf, InboundBench } from './front-bench.ts';

function open(): Promise<InboundBench> {
  return InboundBench.open((options) => new StreamableInbound(options));
}

function post(
  bench: InboundBench,
  body: string,
  more: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    ...Object.fromEntries(modernHeaders(body)),
    ...more,
  };
  return fetch(`${bench.origin}/mcp`, { method: 'POST', body, headers, ...(signal && { signal }) });
}

function failing(id: unknown, code: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'no' } });
}

describe('a request of 2026-07-28', () => {
  it('a request has no conversation, and its dialogue ends with it', async () => {
    const bench = await open();
    bench.answer = ({ dialogue }, id) => void dialogue.deliver(JSON.stringify({ jsonrpc: '2.0', id, result: {} }), {});
    const response = await post(bench, modernRequest('a', 'tools/list'));
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
    expect(bench.ended).toMatchObject([{ conversation: 0, isSingle: true }]);
    expect(bench.abandoned).toEqual([]);
  });

  it.each([
    [-32601, 404],
    [-32020, 400],
    [-32021, 400],
    [-32022, 400],
    [-32603, 200],
  ])('sends error %i, if it is the only message, with HTTP status %i', async (code, status) => {
    const bench = await open();
    bench.answer = ({ dialogue }, id) => void dialogue.deliver(failing(id, code), {});
    expect((await post(bench, modernRequest(1, 'x'))).status).toBe(status);
  });

  it('a request is cancelled by closing its stream', async () => {
    const bench = await open();
    const abort = new AbortController();
    bench.answer = ({ dialogue }) => void dialogue.deliver(notification('notifications/message'), {});
    const response = await post(bench, modernRequest('sub', 'subscriptions/listen'), {}, abort.signal);
    expect((await eventsOf(response).next()).value?.event).toBe('message');
    abort.abort();
    await bench.until(() => bench.ended[0]);
    expect(bench.abandoned).toEqual(['"sub"']);
  });

  it('a request is cut off if its client does not read, and every undelivered message is reported', async () => {
    const bench = await open();
    const text = notification('notifications/message', { data: 'x'.repeat(1 << 20) });
    const count = 80;
    bench.answer = ({ dialogue }) => {
      for (let n = 0; n < count; n++) dialogue.deliver(text, {});
    };
    const abort = new AbortController();
    await post(bench, modernRequest(1, 'flood'), {}, abort.signal);
    await bench.until(() => bench.ended[0]);
    abort.abort();
    const reported = bench.passed.filter(({ dir }) => dir === 'out');
    expect(bench.undelivered.length).toBeGreaterThan(0);
    expect(reported.length + bench.undelivered.length).toBe(count);
  });

  it('a request is cancelled by disconnecting before the stream opens', async () => {
    const bench = await open();
    const abort = new AbortController();
    const left = post(bench, modernRequest(7, 'long'), {}, abort.signal);
    await bench.hears('long');
    abort.abort();
    await expect(left).rejects.toThrow();
    await bench.until(() => bench.ended[0]);
    expect(bench.abandoned).toEqual(['7']);
  });

  it.each([
    ['names another revision', { 'MCP-Protocol-Version': '2025-11-25' }],
    ['names another method', { 'Mcp-Method': 'tools/list' }],
    ['names another tool', { 'Mcp-Name': 'other' }],
    ['is badly encoded', { 'Mcp-Name': '=?base64?!?=' }],
  ])('a request is refused if a header %s', async (_, headers) => {
    const bench = await open();
    const response = await post(bench, modernRequest(1, 'tools/call', { name: 'echo', arguments: {} }), headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32020 } });
    expect(bench.heard).toEqual([]);
  });

  it('a request is refused if a header does not repeat the argument that the tool requires there', async () => {
    const bench = await open();
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    bench.answer = ({ dialogue }, id) => {
      const result = { tools: [{ name: 'look', inputSchema }] };
      dialogue.deliver(JSON.stringify({ jsonrpc: '2.0', id, result }), {});
    };
    await (await post(bench, modernRequest(1, 'tools/list'))).text();
    const call = modernRequest(2, 'tools/call', { name: 'look', arguments: { region: 'here' } });
    expect((await post(bench, call)).status).toBe(400);
    expect((await post(bench, call, { 'Mcp-Param-Region': 'there' })).status).toBe(400);
    expect((await post(bench, call, { 'Mcp-Param-Region': 'here' })).status).toBe(200);
  });

  it('a request is refused without its own revision: a stdio server would treat it as an older one', async () => {
    const bench = await open();
    const response = await post(bench, request(3, 'tools/list'), { 'Mcp-Method': 'tools/list' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 3, error: { code: -32602 } });
    expect(bench.heard).toEqual([]);
  });

  it('a request is refused in a batch', async () => {
    const response = await post(await open(), `[${modernRequest(1, 'a')}]`);
    expect(response.status).toBe(400);
  });
});

it.each(['GET', 'DELETE'])('refuses %s requests with 405', async (method) => {
  const bench = await open();
  const headers = { Accept: 'text/event-stream', 'MCP-Protocol-Version': '2026-07-28' };
  const response = await fetch(`${bench.origin}/mcp`, { method, headers });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
});
