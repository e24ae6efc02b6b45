import { describe, expect, it } from 'vitest';
import type { InboundOptions } from '../../src/transport/inbound/inbound-exchange.ts';
import { StreamableInbound } from '../../src/transport/inbound/streamable-inbound.ts';
import { initialize, notification, request } from '../support/link-witness.ts';
import { allEvents, eventsOf, InboundBench } from './front-bench.ts';

const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

function open(options: Partial<InboundOptions> = {}): Promise<InboundBench> {
  return InboundBench.open((all) => new StreamableInbound(all), options);
}

function post(bench: InboundBench, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${bench.origin}/mcp`, { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } });
}

function get(bench: InboundBench, headers: Record<string, string>): Promise<Response> {
  return fetch(`${bench.origin}/mcp`, { headers: { Accept: 'text/event-stream', ...headers } });
}

function result(id: unknown, value: unknown = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: value });
}

/** Answers every request with the name of its method. */
const obliging: InboundBench['answer'] = ({ dialogue }, id, method) => {
  if (id !== undefined) dialogue.deliver(result(id, { method }), {});
};

/** Starts a session; the test answers everything after the handshake. */
async function begun(
  options: Partial<InboundOptions> = {},
): Promise<{ bench: InboundBench; session: Record<string, string> }> {
  const bench = await open(options);
  bench.answer = obliging;
  const response = await post(bench, initialize(0));
  await response.text();
  bench.answer = () => undefined;
  return { bench, session: { 'Mcp-Session-Id': response.headers.get('mcp-session-id') ?? '' } };
}

describe('an invalid request', () => {
  const requested = request(1, 'tools/list');
  it.each([
    ['at another path', 404, (bench: InboundBench) => fetch(`${bench.origin}/other`)],
    ['that takes no stream', 406, (bench: InboundBench) => post(bench, requested, { Accept: 'application/json' })],
    [
      'that is no JSON by its type',
      415,
      (bench: InboundBench) => post(bench, requested, { 'Content-Type': 'text/plain' }),
    ],
    ['that is no JSON', 400, (bench: InboundBench) => post(bench, '{"jsonrpc":')],
    ['that is no object', 400, (bench: InboundBench) => post(bench, '7')],
    ['that is too long', 413, (bench: InboundBench) => post(bench, request(1, 'x'.repeat(1 << 20)))],
    ['of no conversation', 400, (bench: InboundBench) => post(bench, requested)],
    ['of an unknown conversation', 404, (bench: InboundBench) => post(bench, requested, { 'Mcp-Session-Id': 'gone' })],
    ['for a stream of no conversation', 400, (bench: InboundBench) => get(bench, {})],
    ['for a stream of an unknown one', 404, (bench: InboundBench) => get(bench, { 'Mcp-Session-Id': 'gone' })],
    ['for a stream that it does not take', 406, (bench: InboundBench) => get(bench, { Accept: 'application/json' })],
    ['of another method', 405, (bench: InboundBench) => fetch(`${bench.origin}/mcp`, { method: 'PUT' })],
    ...['2023-01-01', '1.0', '2025-06-18x', 'latest'].map(
      (version): [string, number, (bench: InboundBench) => Promise<Response>] => [
        `of the unknown revision ${version}`,
        400,
        (bench) => post(bench, initialize(1), { 'MCP-Protocol-Version': version }),
      ],
    ),
    [
      'for a stream in an unknown revision',
      400,
      (bench: InboundBench) => get(bench, { 'MCP-Protocol-Version': 'latest', 'Mcp-Session-Id': 'session-1' }),
    ],
    ['of two beginnings', 400, (bench: InboundBench) => post(bench, `[${initialize(1)},${initialize(2)}]`)],
  ])('a request %s is refused with %i and an error', async (_, status, ask) => {
    const bench = await open();
    const response = await ask(bench);
    expect(response.status).toBe(status);
    const body = (await response.json()) as { error: { code: number } };
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: expect.any(Number) } });
    expect(bench.heard).toEqual([]);
    const reported = await bench.until(() => bench.exchanges[0]);
    expect(reported).toMatchObject({ status, error: undefined });
  });
});

describe('a conversation', () => {
  it('accepts every known revision, and an unknown one that the server has agreed to', async () => {
    const bench = await open();
    bench.answer = ({ dialogue }, id, method) => {
      const value = method === 'initialize' ? { protocolVersion: '2025-12-31-own' } : {};
      if (id !== undefined) dialogue.deliver(result(id, value), {});
    };
    const response = await post(bench, initialize(0));
    const session = { 'Mcp-Session-Id': response.headers.get('mcp-session-id') ?? '' };
    const statusWith = async (version: string): Promise<number> =>
      (await post(bench, request(1, 'ping'), { ...session, 'MCP-Protocol-Version': version })).status;
    expect(await statusWith('2025-12-31-own')).toBe(200);
    expect(await statusWith('2025-03-26')).toBe(200);
    expect(await statusWith('2026-07-28')).not.toBe(202);
    for (const version of ['2025-12-31-other', '1999-01-01', '2026-07-29', '2099-12-31', 'DRAFT-nonsense']) {
      expect(await statusWith(version)).toBe(400);
    }
  });

  it('a conversation gets its id in the initialize response, and ends when the client deletes it', async () => {
    const { bench, session } = await begun();
    expect(session).toEqual({ 'Mcp-Session-Id': 'session-1' });
    const response = await fetch(`${bench.origin}/mcp`, { method: 'DELETE', headers: session });
    expect(response.status).toBe(200);
    expect(bench.ended).toHaveLength(1);
    expect((await post(bench, request(1, 'ping'), session)).status).toBe(404);
  });

  it('a conversation gets no id if the server refuses to initialize', async () => {
    const bench = await open();
    const error = JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code: -32602, message: 'no' } });
    bench.answer = ({ dialogue }) => void dialogue.deliver(error, {});
    const response = await post(bench, initialize(0));
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.text()).toBe(error);
    await bench.until(() => bench.ended[0]);
  });

  it('accepts notifications and responses with an empty 202', async () => {
    const { bench, session } = await begun();
    const texts = [notification('notifications/initialized'), result(0, { roots: [] })];
    for (const text of texts) {
      const response = await post(bench, text, session);
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
    expect(bench.heard.slice(1).map(({ text }) => text)).toEqual(texts);
  });

  it('sends a response that arrives first unchanged, character by character', async () => {
    const { bench, session } = await begun();
    const answer = '{ "jsonrpc":"2.0","id":1.0e0, "result":{"big":12345678901234567890,"x":"\\u00e9"}}';
    bench.answer = ({ dialogue }) => void dialogue.deliver(answer, {});
    const response = await post(bench, request(1, 'tools/list'), session);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(answer);
    expect(bench.passed.at(-1)).toMatchObject({ texts: [answer], dir: 'out', place: { conversation: 1 } });
  });

  it('streams as soon as a message arrives before the response', async () => {
    const { bench, session } = await begun();
    const pretty = '{"jsonrpc":"2.0",\n"method":"notifications/progress","params":{"progressToken":"t","progress":1}}';
    bench.answer = ({ dialogue }, id) => {
      dialogue.deliver(pretty, {});
      dialogue.deliver(result(id), {});
    };
    const requested = request(1, 'tools/call', { _meta: { progressToken: 't' } });
    const response = await post(bench, requested, session);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = await allEvents(response);
    expect(events).toEqual([
      { event: 'message', data: pretty },
      { event: 'message', data: result(1) },
    ]);
  });

  it('sends keep-alives while a response takes long', async () => {
    const { bench, session } = await begun({ streamAfterMs: 1, keepAliveMs: 1 });
    const response = await post(bench, request(1, 'slow'), session);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const { dialogue } = await bench.hears('slow');
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^:\n\n/);
    dialogue.deliver(result(1), {});
    let rest = '';
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      rest += new TextDecoder().decode(part.value);
    }
    expect(rest).toContain(`event: message\ndata: ${result(1)}\n\n`);
  });

  it('answers a batch with a batch', async () => {
    const { bench, session } = await begun();
    bench.answer = obliging;
    const batch = [request(1, 'a'), notification('b'), request(2, 'c')];
    const response = await post(bench, `[${batch.join(',')}]`, session);
    expect(await response.json()).toEqual([1, 2].map((id) => expect.objectContaining({ id })));
    expect(bench.heard.slice(1).map(({ text }) => text)).toEqual(batch);
    expect(bench.passed.at(-1)?.texts).toHaveLength(2);
  });

  it.each([
    ['names another request', result(7)],
    ['is no message any more', '{"jsonrpc":'],
  ])('delivers a response that %s to the request that it answers', async (_, answer) => {
    const { bench, session } = await begun();
    const other = post(bench, request(7, 'other'), session);
    await bench.hears('other');
    const requested = post(bench, request(1, 'tools/list'), session);
    const { dialogue } = await bench.hears('tools/list');
    for (let times = 0; times < 2; times++) dialogue.deliver(answer, { answers: '1' });
    const response = await requested;
    expect([response.status, await response.text()]).toEqual([200, answer]);
    expect(bench.undelivered).toEqual([answer]);
    dialogue.deliver(result(7), {});
    expect(await (await other).text()).toBe(result(7));
  });

  it('sends each response to its own request, and other messages to the standalone stream', async () => {
    const { bench, session } = await begun();
    const alone = await get(bench, session);
    const first = post(bench, request(1, 'first'), session);
    const second = post(bench, request(2, 'second'), session);
    const { dialogue } = await bench.hears('first');
    await bench.hears('second');
    dialogue.deliver(request(0, 'roots/list'), {});
    dialogue.deliver(notification('notifications/message'), { requestId: '1' });
    dialogue.deliver(result(2), {});
    dialogue.deliver(result(1), {});
    expect(await (await second).json()).toMatchObject({ id: 2 });
    const reported = await allEvents(await first);
    expect(reported.map(({ data }) => JSON.parse(data))).toMatchObject([
      { method: 'notifications/message' },
      { id: 1 },
    ]);
    const received = await eventsOf(alone).next();
    expect(JSON.parse(received.value?.data ?? '')).toMatchObject({ method: 'roots/list' });
  });

  it('allows one standalone stream at a time, and another after it', async () => {
    const { bench, session } = await begun();
    const abort = new AbortController();
    const first = await fetch(`${bench.origin}/mcp`, {
      headers: { Accept: 'text/event-stream', ...session },
      signal: abort.signal,
    });
    expect(first.status).toBe(200);
    expect((await get(bench, session)).status).toBe(409);
    abort.abort();
    await bench.until(() => bench.exchanges.find(({ error }) => error === 'the client left'));
    expect((await get(bench, session)).status).toBe(200);
  });

  it('queues messages that belong to no request until the standalone stream opens', async () => {
    const { bench, session } = await begun();
    const { dialogue } = await bench.hears('initialize');
    dialogue.deliver(notification('early'), {});
    const { value } = await eventsOf(await get(bench, session)).next();
    expect(JSON.parse(value?.data ?? '')).toMatchObject({ method: 'early' });
  });

  it('ends the HTTP response to a request that the client cancels, which no server answers', async () => {
    const { bench, session } = await begun();
    const waiting = post(bench, request(1, 'long'), session);
    const { dialogue } = await bench.hears('long');
    await post(bench, notification('notifications/cancelled', { requestId: 1 }), session);
    expect(await (await waiting).text()).toBe('');
    dialogue.deliver(result(1), {});
    expect(bench.undelivered).toEqual([result(1)]);
  });

  it('keeps working when a client disconnects before its response', async () => {
    const { bench, session } = await begun();
    const abort = new AbortController();
    const left = fetch(`${bench.origin}/mcp`, {
      method: 'POST',
      body: request(1, 'long'),
      headers: { ...JSON_TYPE, ...session },
      signal: abort.signal,
    });
    await bench.hears('long');
    abort.abort();
    await expect(left).rejects.toThrow();
    await bench.until(() => bench.exchanges.find(({ status }) => status === undefined));
    bench.answer = obliging;
    expect((await post(bench, request(2, 'ping'), session)).status).toBe(200);
    expect(bench.abandoned).toEqual([]);
  });

  it('a conversation ends when its client is idle for too long', async () => {
    const { bench, session } = await begun({ idleMs: 1 });
    await bench.until(() => bench.ended[0]);
    expect((await post(bench, request(1, 'ping'), session)).status).toBe(404);
  });

  it('a conversation ends with its server, which closes its open responses', async () => {
    const { bench, session } = await begun();
    const alone = await get(bench, session);
    const { dialogue } = await bench.hears('initialize');
    const requested = post(bench, request(7, 'unanswered'), session);
    await bench.hears('unanswered');
    dialogue.end();
    expect(await alone.text()).toBe('');
    await expect(requested).rejects.toThrow();
    const cut = await bench.until(() => bench.exchanges.find(({ status }) => status === undefined));
    expect(cut.error).toBe('mcpreel closed the connection');
    expect((await post(bench, request(1, 'ping'), session)).status).toBe(404);
  });
});
