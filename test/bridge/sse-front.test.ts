import { expect, it } from 'vitest';
import type { InboundOptions } from '../../src/transport/inbound/inbound-exchange.ts';
import { SseInbound } from '../../src/transport/inbound/sse-inbound.ts';
import { notification, request } from '../support/link-witness.ts';
import { eventsOf, InboundBench } from './front-bench.ts';

function open(options: Partial<InboundOptions> = {}): Promise<InboundBench> {
  return InboundBench.open((all) => new SseInbound(all), options);
}

function post(bench: InboundBench, address: string, body: string, type = 'application/json'): Promise<Response> {
  return fetch(bench.origin + address, { method: 'POST', body, headers: { 'Content-Type': type } });
}

/** Opens a stream, and returns the events after the one that names the POST endpoint. */
async function connected(
  bench: InboundBench,
  { query = '', signal }: { query?: string; signal?: AbortSignal } = {},
): Promise<{ address: string; events: ReturnType<typeof eventsOf> }> {
  const response = await fetch(`${bench.origin}/sse${query}`, {
    headers: { accept: 'text/event-stream' },
    ...(signal && { signal }),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = eventsOf(response);
  const { value } = await events.next();
  expect(value?.event).toBe('endpoint');
  return { address: value?.data ?? '', events };
}

it('sends each client its own relative endpoint', async () => {
  const bench = await open();
  const addresses = [(await connected(bench)).address, (await connected(bench)).address];
  expect(addresses).toEqual(['/messages?sessionId=session-1', '/messages?sessionId=session-2']);
});

it('accepts messages at the endpoint, and answers on the stream', async () => {
  const bench = await open();
  const { address, events } = await connected(bench);
  const answer = '{"jsonrpc":"2.0", "id":1, "result":{"n":1.0}}';
  bench.answer = ({ dialogue }) => void dialogue.deliver(answer, {});
  const requested = request(1, 'tools/list');
  expect((await post(bench, address, requested)).status).toBe(202);
  expect(await events.next()).toMatchObject({ value: { event: 'message', data: answer } });
  expect(bench.passed).toMatchObject([
    { texts: [requested], dir: 'in', place: { conversation: 1, exchange: 1 } },
    { texts: [answer], dir: 'out', place: { conversation: 1, exchange: 0, sse: '{"event":"message"}' } },
  ]);
});

it('separates two clients', async () => {
  const bench = await open();
  const clients = [await connected(bench), await connected(bench)];
  bench.answer = ({ dialogue }) => void dialogue.deliver(notification(`to ${dialogue.conversation}`), {});
  for (const { address } of clients) await post(bench, address, request(1, 'ping'));
  const received = await Promise.all(clients.map(({ events }) => events.next()));
  expect(received.map(({ value }) => JSON.parse(value?.data ?? '').method)).toEqual(['to 1', 'to 2']);
});

it('ends the dialogue when the client closes its stream', async () => {
  const bench = await open();
  const abort = new AbortController();
  const { address } = await connected(bench, { signal: abort.signal });
  abort.abort();
  await bench.until(() => bench.ended[0]);
  expect((await post(bench, address, request(1, 'ping'))).status).toBe(404);
});

it('closes the stream when the server ends', async () => {
  const bench = await open();
  const { address, events } = await connected(bench);
  bench.answer = ({ dialogue }) => dialogue.end();
  await post(bench, address, request(1, 'ping'));
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

it.each([
  ['to a stream that is not there', 404, '/messages?sessionId=gone', '{}', 'application/json'],
  ['of another type', 415, '', '{}', 'text/plain'],
  ['that is no message', 400, '', 'hello', 'application/json'],
  ['to where streams are opened', 405, '/sse', '{}', 'application/json'],
  ['to another path', 404, '/mcp', '{}', 'application/json'],
])('refuses a POST %s with %i', async (_, status, elsewhere, body, type) => {
  const bench = await open();
  const { address } = await connected(bench);
  expect((await post(bench, elsewhere || address, body, type)).status).toBe(status);
  expect(bench.heard).toEqual([]);
});

it('includes the token in the endpoint of a client that has it in its URL', async () => {
  const bench = await open({ token: 'a b' });
  const { address } = await connected(bench, { query: '?token=a%20b' });
  expect(address).toBe('/messages?sessionId=session-1&token=a%20b');
  expect((await post(bench, address, notification('x'))).status).toBe(202);
});
