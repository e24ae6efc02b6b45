import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openSseLink } from '../../src/transport/outbound/sse-link.ts';
import { linkTo } from '../support/http-links.ts';
import { notification, request } from '../support/link-witness.ts';
import { type RawHttpServer, type RawRequest, rawHttpServer } from '../support/raw-http-server.ts';

const SSE_TYPE = { 'Content-Type': 'text/event-stream' };

interface SseServer extends RawHttpServer {
  /** Sends text on the stream. */
  say(text: string): void;
  end(): void;
  reset(): void;
}

/** A server that names its endpoint at once, and answers POSTs with the given handler. */
async function sseServer(
  endpoint = '/messages?session=1',
  answer: (request: RawRequest, response: ServerResponse) => void = (_, response) => response.writeHead(202).end(),
): Promise<SseServer> {
  let stream: ServerResponse | undefined;
  const server = await rawHttpServer((requested, response) => {
    if (requested.method !== 'GET') {
      answer(requested, response);
      return;
    }
    stream = response;
    response.writeHead(200, SSE_TYPE).write(`event: endpoint\ndata: ${endpoint}\n\n`);
  });
  return {
    ...server,
    say: (text) => void stream?.write(text),
    end: () => void stream?.end(),
    reset: () => void stream?.socket?.resetAndDestroy(),
  };
}

it.each([
  ['/messages?session=1', '/messages?session=1'],
  ['messages?session=1', '/messages?session=1'],
  ['?session=1', '/mcp?session=1'],
])('posts to %s in order, and reads the stream', async (endpoint, path) => {
  const server = await sseServer(endpoint);
  const { link, witness } = linkTo(openSseLink, server.url, { headers: [['X-Key', 'secret']] });
  const texts = [request(1, 'a'), notification('b'), request(2, 'c'), '[{"jsonrpc":"2.0","method":"d"}]'];
  for (const text of texts) link.send(text);
  await witness.exchange(({ exchange }) => exchange === 5);
  expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'POST', 'POST']);
  expect(server.requests.slice(1).map(({ body }) => body)).toEqual(texts);
  expect(server.requests.at(-1)).toMatchObject({ path, headers: { 'x-key': 'secret', host: server.url.host } });
  server.say('id: 9\nevent: message\ndata: {"jsonrpc":"2.0",\ndata: "id":1,"result":1.0}\n\n: beat\n\n');
  server.say('data: hello\n\nevent: other\ndata: {"jsonrpc":"2.0","method":"x"}\n\n');
  await witness.until(() => witness.lines[1]);
  expect(witness.messages).toEqual([
    {
      text: '{"jsonrpc":"2.0",\n"id":1,"result":1.0}',
      origin: { exchange: 1, sse: '{"event":"message","id":"9"}' },
    },
  ]);
  expect(witness.lines).toEqual(['noise: hello', 'noise: {"jsonrpc":"2.0","method":"x"}']);
  await link.close();
  expect(witness.ends).toEqual([undefined]);
  expect(JSON.stringify(witness.exchanges)).not.toContain('secret');
});

it('accepts an endpoint with the absolute URL of the server', async () => {
  const server = await rawHttpServer((requested, response) => {
    const data = `http://${requested.headers.host}/here`;
    if (requested.method === 'GET') response.writeHead(200, SSE_TYPE).write(`event: endpoint\ndata: ${data}\n\n`);
    else response.writeHead(200).end();
  });
  const { link, witness } = linkTo(openSseLink, server.url);
  link.send(notification('a'));
  expect(await witness.exchange(({ method }) => method === 'POST')).toMatchObject({ path: '/here', status: 200 });
});

it('ignores an endpoint event without data', async () => {
  const server = await rawHttpServer((requested, response) => {
    if (requested.method !== 'GET') {
      response.writeHead(202).end();
      return;
    }
    response.writeHead(200, SSE_TYPE);
    response.write('event: endpoint\n\n', () => setImmediate(() => response.write('event: endpoint\ndata: /m\n\n')));
  });
  const { link, witness } = linkTo(openSseLink, server.url);
  link.send(notification('a'));
  expect(await witness.exchange(({ method }) => method === 'POST')).toMatchObject({ path: '/m' });
});

it('reports a message on its stream that is too long instead of buffering it', async () => {
  const server = await sseServer();
  const { link, witness } = linkTo(openSseLink, server.url, { maxMessageBytes: 500 });
  link.send(request(1, 'a'));
  await witness.exchange(({ method }) => method === 'POST');
  const long = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(1000) });
  server.say(`data: ${long}\n\n`);
  expect(await witness.until(() => witness.tooLong[0])).toEqual({ size: long.length });
  expect(witness.messages).toEqual([]);
});

it('sends nothing to another origin', async () => {
  const server = await sseServer('http://elsewhere.invalid/messages');
  const { link, witness } = linkTo(openSseLink, server.url);
  link.send(request(1, 'a'));
  const reason = `an endpoint of another origin (http://elsewhere.invalid/messages) from ${server.url.host}`;
  expect(await witness.end()).toEqual({ reason });
  expect(witness.exchanges).toMatchObject([{ method: 'GET', status: 200, error: reason }]);
  expect(link.send(request(2, 'b'))).toBe(true);
  await link.close();
  expect(server.requests).toHaveLength(1);
  expect(witness.ends).toHaveLength(1);
});

describe('a message that the server does not accept', () => {
  it.each([
    [502, '<h1>Bad Gateway</h1>', -32000, 'HTTP 502 Bad Gateway'],
    [404, 'no such session', -32001, 'HTTP 404 Not Found'],
  ])('answers a request that fails with %i in place of the server', async (status, body, code, message) => {
    const server = await sseServer('/m', (_, response) => response.writeHead(status).end(body));
    const { link, witness } = linkTo(openSseLink, server.url);
    link.send(notification('a'));
    link.send(request(1, 'b'));
    const { text, origin } = await witness.answerTo(1);
    const error = { code, message: `mcpreel: ${message} from ${server.url.host}`, data: { httpStatus: status } };
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 1, error });
    expect(origin).toEqual({ requestId: '1', isOwn: true });
    await witness.until(() => witness.exchanges[1]);
    expect(witness.exchanges.map((exchange) => exchange.error)).toEqual([
      `${message} from ${server.url.host}`,
      `${message} from ${server.url.host}`,
    ]);
    expect(witness.messages).toHaveLength(1);
  });

  it('returns the error that the server itself sent for a refused request', async () => {
    const sent = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}';
    const server = await sseServer('/m', (_, response) => response.writeHead(400).end(sent));
    const { link, witness } = linkTo(openSseLink, server.url);
    link.send(request(1, 'b'));
    expect((await witness.answerTo(1)).text).toBe(sent.replace('null', '1'));
  });
});

describe('a stream that has ended', () => {
  it('the link ends with its stream', async () => {
    const server = await sseServer();
    const { link, witness } = linkTo(openSseLink, server.url);
    link.send(notification('a'));
    await witness.exchange(({ method }) => method === 'POST');
    server.end();
    expect(await witness.end()).toEqual({ reason: `the event stream of ${server.url.host} ended` });
  });

  it('the link ends when its stream breaks off', async () => {
    const server = await sseServer();
    const { link, witness } = linkTo(openSseLink, server.url);
    link.send(notification('a'));
    await witness.exchange(({ method }) => method === 'POST');
    server.reset();
    const reason = `an incomplete response (it closed the connection) from ${server.url.host}`;
    expect(await witness.end()).toEqual({ reason });
  });

  it.each([
    [502, 'text/html', 'HTTP 502 Bad Gateway'],
    [405, 'application/json', 'HTTP 405 Method Not Allowed'],
    [200, 'text/html', 'no event stream'],
  ])('the link ends if its stream cannot be opened (%i %s)', async (status, type, why) => {
    const { url } = await rawHttpServer((_, response) => response.writeHead(status, { 'Content-Type': type }).end('x'));
    const { link, witness } = linkTo(openSseLink, url);
    link.send(request(1, 'a'));
    expect(await witness.end()).toEqual({ reason: `${why} from ${url.host}` });
  });

  it('the link ends if the connection is refused', async () => {
    const { witness } = linkTo(openSseLink, new URL('http://127.0.0.1:1/sse'));
    expect(await witness.end()).toEqual({ reason: 'no response from 127.0.0.1:1: it refused the connection' });
  });
});
