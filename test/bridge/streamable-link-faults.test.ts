import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { HttpTarget } from '../../src/transport/http-target.ts';
import { openStreamableLink } from '../../src/transport/links/streamable-link.ts';
import { linkTo } from '../support/http-links.ts';
import { initialize, initialized, modernRequest, notification, request } from '../support/link-witness.ts';
import { type RawRequest, rawHttpServer } from '../support/raw-http-server.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const SSE_TYPE = { 'Content-Type': 'text/event-stream' };

function idOf({ body }: RawRequest): number | string {
  return (JSON.parse(body) as { id: number | string }).id;
}

function result(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: {} });
}

/** Answers `initialize` with a session and takes notifications; the rest is left to the test. */
function sessionServer(
  answer: (request: RawRequest, response: ServerResponse) => void,
): ReturnType<typeof rawHttpServer> {
  return rawHttpServer((asked, response) => {
    const { method = '', id = undefined } = asked.body === '' ? {} : (JSON.parse(asked.body) as Record<string, string>);
    if (method === 'initialize') {
      const answered = { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } };
      response.writeHead(200, { ...JSON_TYPE, 'Mcp-Session-Id': 'the-session' }).end(JSON.stringify(answered));
    } else if (asked.method === 'POST' && id === undefined) response.writeHead(202).end();
    else if (asked.method === 'DELETE') response.writeHead(200).end();
    else if (asked.method === 'GET' && asked.headers['last-event-id'] === undefined) response.writeHead(405).end();
    else answer(asked, response);
  });
}

/** Answers a text when it is told to. */
async function patientServer(): Promise<{
  url: URL;
  requests: readonly RawRequest[];
  answer: (body: string) => Promise<() => void>;
}> {
  const answers = new Map<string, () => void>();
  const server = await rawHttpServer((asked, response) => {
    const id = asked.body === '' ? undefined : idOf(asked);
    answers.set(asked.body, () => {
      if (id === undefined) response.writeHead(202).end();
      else response.writeHead(200, JSON_TYPE).end(result(id));
    });
  });
  const answer = async (body: string): Promise<() => void> => {
    await expect.poll(() => answers.has(body), { interval: 2 }).toBe(true);
    return answers.get(body) ?? (() => undefined);
  };
  return { ...server, answer };
}

describe('a request that fails', () => {
  it.each([
    [502, { 'Content-Type': 'text/html' }, '<h1>Bad Gateway</h1>', 'HTTP 502 Bad Gateway'],
    [401, { 'WWW-Authenticate': 'Bearer' }, '', 'HTTP 401 Unauthorized'],
    [401, JSON_TYPE, '{"error":"invalid_token"}', 'HTTP 401 Unauthorized'],
    [403, JSON_TYPE, '{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"of another"}}', 'HTTP 403 Forbidden'],
    [404, {}, '', 'HTTP 404 Not Found'],
    [307, { Location: '/elsewhere' }, '', 'HTTP 307 Temporary Redirect'],
    [200, { 'Content-Type': 'text/html' }, '<p>Hello</p>', 'an answer that is no JSON-RPC'],
    [200, JSON_TYPE, '', 'an empty answer'],
    [200, SSE_TYPE, ': nothing\n\n', 'an answer that ended too early'],
    [200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, 'x', 'an answer in the encoding gzip'],
  ])('with %i %o is answered in place of the server', async (status, headers, body, message) => {
    const { url, requests } = await rawHttpServer((_, response) => response.writeHead(status, headers).end(body));
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(request(5, 'tools/list'));
    const { text, origin } = await witness.answerTo(5);
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      id: 5,
      error: { code: -32000, message: `mcpreel: ${message} from ${url.host}`, data: { httpStatus: status } },
    });
    expect(origin).toEqual({ requestId: '5', isOwn: true });
    const exchange = await witness.exchange(() => true);
    expect(exchange).toMatchObject({ method: 'POST', path: '/mcp', status, error: `${message} from ${url.host}` });
    expect(requests).toHaveLength(1);
  });

  it('passes on what the server itself says to it', async () => {
    const said = '{"jsonrpc":"2.0", "id":5,"error":{"code":-32601,"message":"no such method","data":1.0}}';
    const { url } = await rawHttpServer((_, response) => response.writeHead(404, JSON_TYPE).end(`${said}\n`));
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(modernRequest(5, 'tools/list'));
    const { text, origin } = await witness.answerTo(5);
    expect(text).toBe(said);
    expect(origin).toEqual({ requestId: '5', exchange: 1 });
    expect(await witness.exchange(() => true)).toMatchObject({ status: 404, error: undefined });
  });

  it.each([400, 200])('gets its id in an error of status %i that names none', async (status) => {
    const said = '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request"},"id":null}';
    const { url } = await rawHttpServer((_, response) => response.writeHead(status, JSON_TYPE).end(said));
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(request('five', 'tools/list'));
    expect((await witness.answerTo('five')).text).toBe(said.replace('null', '"five"'));
  });

  it('is told that its session is gone', async () => {
    const { url } = await sessionServer((_, response) => response.writeHead(404).end('no such session'));
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(request(1, 'tools/list'));
    const { error } = JSON.parse((await witness.answerTo(1)).text);
    expect(error).toMatchObject({ code: -32001, data: { httpStatus: 404 } });
  });

  it('is answered when nobody listens there', async () => {
    const { link, witness } = linkTo(openStreamableLink, new URL('http://127.0.0.1:1/mcp'));
    link.send('[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":"1","method":"b"}]');
    const texts = await Promise.all([witness.answerTo(1), witness.answerTo('1')]);
    for (const { text } of texts) {
      expect(text).toContain('no answer from 127.0.0.1:1: it refused the connection');
    }
  });

  it('is answered when there is no such host', async () => {
    const { link, witness } = linkTo(openStreamableLink, new URL('http://nowhere.invalid/mcp'));
    link.send(request(1, 'a'));
    expect((await witness.answerTo(1)).text).toMatch(/no answer from nowhere\.invalid: /);
  });

  it('is answered when the server speaks no TLS', async () => {
    const { url } = await rawHttpServer((_, response) => response.end());
    const { link, witness } = linkTo(openStreamableLink, new URL(url.href.replace('http:', 'https:')));
    link.send(request(1, 'a'));
    expect((await witness.answerTo(1)).text).toMatch(/no answer from 127\.0\.0\.1:\d+: /);
  });

  it('is answered when the connection is reset before the head of an answer', async () => {
    const { url } = await rawHttpServer((_, response) => response.socket?.resetAndDestroy());
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(request(1, 'a'));
    expect((await witness.answerTo(1)).text).toContain('it closed the connection');
    expect(await witness.exchange(() => true)).toMatchObject({ status: undefined, responseHeaders: [] });
  });

  it('is answered when the connection is reset in the middle of an event', async () => {
    const { url } = await rawHttpServer((_, response) => {
      response
        .writeHead(200, SSE_TYPE)
        .write('data: {"jsonrpc":"2.0","method":"before"}\n\ndata: {"jsonrpc":"2.0","id":1,');
      setImmediate(() => response.socket?.resetAndDestroy());
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(request(1, 'a'));
    expect((await witness.answerTo(1)).text).toContain('an answer that broke off (it closed the connection)');
    expect((await witness.said('before')).origin).toMatchObject({ requestId: '1', sse: '{"event":"message"}' });
  });

  it('is answered when its answer is too long', async () => {
    const { url } = await rawHttpServer((asked, response) => {
      const isStream = asked.body.includes('stream');
      const body = JSON.stringify({ jsonrpc: '2.0', id: idOf(asked), result: 'x'.repeat(1000) });
      response.writeHead(200, isStream ? SSE_TYPE : JSON_TYPE).end(isStream ? `data: ${body}\n\n` : body);
    });
    const { link, witness } = linkTo(openStreamableLink, url, { maxMessageBytes: 500 });
    link.send(request(1, 'plain'));
    link.send(request(2, 'stream'));
    expect((await witness.answerTo(1)).text).toContain('more than 500 bytes in one answer');
    expect((await witness.answerTo(2)).text).toMatch(/a message of \d+ characters/);
  });
});

it('tells of a notification that fails, and says nothing to the client', async () => {
  const { url } = await rawHttpServer((_, response) => response.writeHead(500).end());
  const { link, witness } = linkTo(openStreamableLink, url);
  link.send(notification('notifications/progress'));
  const exchange = await witness.exchange(() => true);
  expect(exchange).toMatchObject({ status: 500, error: `HTTP 500 Internal Server Error from ${url.host}` });
  expect(witness.messages).toEqual([]);
});

it('hears a stream that comes byte by byte', async () => {
  const message = '{"jsonrpc":"2.0","method":"é","params":{"a":  1.0}}';
  const { url } = await rawHttpServer(async (asked, response) => {
    response.writeHead(200, SSE_TYPE).flushHeaders();
    const stream = `\uFEFF: hello\r\nid: 7\r\ndata: ${message}\r\n\r\ndata: ${result(idOf(asked))}\n\n`;
    for (const byte of Buffer.from(stream)) await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
    response.end();
  });
  const { link, witness } = linkTo(openStreamableLink, url);
  link.send(request(1, 'a'));
  await witness.answerTo(1);
  expect(witness.messages[0]).toEqual({
    text: message,
    origin: { requestId: '1', exchange: 1, sse: '{"event":"message","id":"7"}' },
  });
  expect(await witness.exchange(() => true)).toMatchObject({ error: undefined });
});

describe('a stream that was closed before its answer', () => {
  it('is taken up where it was left, when the server wants that', async () => {
    const times: number[] = [];
    const { url, requests } = await sessionServer((asked, response) => {
      times.push(performance.now());
      response.writeHead(200, SSE_TYPE);
      if (asked.method === 'POST') response.end('id: a-1\nretry: 120\ndata:\n\n');
      else if (asked.headers['last-event-id'] === 'a-1') {
        response.end('id: a-ü\ndata: {"jsonrpc":"2.0","method":"half"}\n\n');
      } else response.write(`id: a-3\ndata: ${result(1)}\n\n`);
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(request(1, 'slow'));
    const answer = await witness.answerTo(1);
    expect(answer.origin).toEqual({ requestId: '1', exchange: 4, sse: '{"event":"message","id":"a-3"}' });
    const resumed = requests.filter(({ method }) => method === 'GET').map(({ headers }) => headers);
    expect(resumed).toMatchObject([
      { 'last-event-id': 'a-1', 'mcp-session-id': 'the-session', accept: 'text/event-stream' },
      { 'last-event-id': Buffer.from('a-ü').toString('latin1') },
    ]);
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThan(110);
    // The last stream was left open, and nobody reads it any more.
    expect(await witness.exchange(({ exchange }) => exchange === 4)).toMatchObject({ error: undefined });
    expect(witness.messages).toHaveLength(3);
  });

  it('is given up when the server does not have it', async () => {
    const { url } = await sessionServer((asked, response) => {
      if (asked.method === 'POST') response.writeHead(200, SSE_TYPE).end('id: a-1\nretry: 1\ndata:\n\n');
      else response.writeHead(400).end();
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(request(1, 'slow'));
    expect((await witness.answerTo(1)).text).toContain('HTTP 400 Bad Request');
  });

  it('is tried again when the server is busy, and given up in the end', async () => {
    const { url, requests } = await sessionServer((asked, response) => {
      if (asked.method === 'POST') response.writeHead(200, SSE_TYPE).end('id: a-1\nretry: 1\ndata:\n\n');
      else response.writeHead(503).end();
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(request(1, 'slow'));
    expect((await witness.answerTo(1)).text).toContain('HTTP 503 Service Unavailable');
    expect(requests.filter(({ method }) => method === 'GET')).toHaveLength(6);
  });

  it('is no concern of the modern era', async () => {
    const { url } = await rawHttpServer((_, response) => response.writeHead(200, SSE_TYPE).end('id: a-1\ndata:\n\n'));
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(modernRequest(1, 'tools/list'));
    expect((await witness.answerTo(1)).text).toContain('an answer that ended too early');
  });
});

describe('the stream on which a server speaks by itself', () => {
  it('is opened after the handshake, and again from where it was left', async () => {
    let streams = 0;
    const { url, requests } = await rawHttpServer((asked, response) => {
      if (asked.body.includes('"initialize"')) response.writeHead(200, JSON_TYPE).end(result(0));
      else if (asked.method === 'POST') response.writeHead(202).end();
      else {
        const n = ++streams;
        response.writeHead(n === 2 ? 503 : 200, SSE_TYPE);
        const event = `id: s-${n}\nretry: 5\ndata: {"jsonrpc":"2.0","method":"m${n}"}\n\n`;
        if (n === 1) response.end(event);
        else if (n === 2) response.end();
        else response.write(event);
      }
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(initialized);
    expect((await witness.said('m1')).origin).toEqual({ exchange: 3, sse: '{"event":"message","id":"s-1"}' });
    await witness.said('m3');
    expect(requests.slice(2).map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 's-1', 's-1']);
    await link.close();
    expect(witness.exchanges.at(-1)).toMatchObject({ method: 'GET', error: undefined });
    expect(witness.ends).toEqual([undefined]);
  });

  it('is not asked for again where there is none', async () => {
    const { url, requests } = await sessionServer((_, response) => response.end());
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(initialized);
    expect(await witness.exchange(({ method }) => method === 'GET')).toMatchObject({ status: 405, error: undefined });
    await link.close();
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'DELETE']);
    expect(requests.at(-1)?.headers).toMatchObject({ 'mcp-session-id': 'the-session' });
  });
});

describe('what is sent', () => {
  it('has the headers of its era, and those that are added', async () => {
    const { url, requests } = await sessionServer((asked, response) => {
      response.writeHead(200, JSON_TYPE).end(result(idOf(asked)));
    });
    const headers = [
      ['Authorization', 'Bearer secret'],
      ['accept', 'application/json'],
    ] as const;
    const { link, witness } = linkTo(openStreamableLink, url, { headers });
    link.send(initialize(0));
    link.send(request(1, 'tools/list'));
    link.send(modernRequest(2, 'tools/call', { name: 'a b', arguments: {} }));
    await Promise.all([witness.answerTo(1), witness.answerTo(2)]);
    const added = { authorization: 'Bearer secret', accept: 'application/json', 'content-type': 'application/json' };
    const [first, second, third] = requests.map((asked) => asked.headers);
    expect(first).toMatchObject({ ...added, host: url.host });
    expect(first).not.toHaveProperty('mcp-session-id');
    expect(first).not.toHaveProperty('mcp-protocol-version');
    expect(second).toMatchObject({
      ...added,
      'mcp-session-id': 'the-session',
      'mcp-protocol-version': '2025-11-25',
    });
    expect(third).toMatchObject({
      ...added,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'a b',
    });
    expect(third).not.toHaveProperty('mcp-session-id');
    const { requestHeaders } = await witness.exchange(({ exchange }) => exchange === 2);
    expect(requestHeaders).toContain('Mcp-Session-Id');
    expect(JSON.stringify(witness.exchanges)).not.toContain('secret');
  });

  it('waits for the handshake, and for notifications to be taken, but not for answers', async () => {
    const { url, requests, answer } = await patientServer();
    const { link, witness } = linkTo(openStreamableLink, url);
    const a = notification('notifications/a');
    const b = notification('notifications/b');
    const texts = [request(0, 'initialize'), a, b, request(1, 'first'), request(2, 'second')];
    for (const text of texts) link.send(text);
    for (const text of texts.slice(0, 3)) {
      const answering = await answer(text);
      expect(requests.at(-1)?.body).toBe(text);
      answering();
    }
    const first = await answer(request(1, 'first'));
    (await answer(request(2, 'second')))();
    await witness.answerTo(2);
    expect(witness.messages).toHaveLength(2);
    first();
    await witness.answerTo(1);
  });

  it('says when too much is waiting, and when no longer', async () => {
    const { url, answer } = await patientServer();
    const { link, witness } = linkTo(openStreamableLink, url);
    const long = notification('long', { data: 'x'.repeat(65 << 20) });
    expect(link.send(request(0, 'initialize'))).toBe(true);
    expect(link.send(long)).toBe(false);
    expect(link.send(request(1, 'c'))).toBe(false);
    expect((await witness.answerTo(1)).text).toContain('not sent');
    expect(witness.drains).toBe(0);
    (await answer(request(0, 'initialize')))();
    (await answer(long))();
    await witness.until(() => witness.drains || undefined);
    expect(link.send(request(2, 'd'))).toBe(true);
  });
});

describe('a call that nobody waits for any more', () => {
  async function streamingServer(): Promise<{ url: URL; closed: Promise<void>; requests: readonly RawRequest[] }> {
    let close: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const server = await rawHttpServer((asked, response) => {
      if (asked.method !== 'POST' || !asked.body.includes('"id":1')) {
        response.writeHead(202).end();
        return;
      }
      response.writeHead(200, SSE_TYPE).write('data: {"jsonrpc":"2.0","method":"begun"}\n\n');
      response.once('close', close);
    });
    return { ...server, closed };
  }

  const ways = ['given up', 'cancelled', 'cancelled without a revision'];
  it.each(ways)('is %s by closing its stream, in the modern era', async (way) => {
    const { url, closed, requests } = await streamingServer();
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(modernRequest(1, 'tools/call', { name: 'a' }));
    await witness.said('begun');
    const { params } = JSON.parse(way === 'cancelled' ? modernRequest(0, '') : '{"params":{}}') as { params: object };
    if (way === 'given up') link.abandon('1');
    else link.send(notification('notifications/cancelled', { ...params, requestId: 1 }));
    await closed;
    expect(await witness.exchange(() => true)).toMatchObject({ status: 200, error: undefined });
    await link.close();
    expect(requests).toHaveLength(1);
    expect(witness.messages).toHaveLength(1);
  });

  it('goes on in the legacy era, where the server is told', async () => {
    const { url, requests } = await sessionServer((_, response) => {
      response.writeHead(200, SSE_TYPE).write('data: {"jsonrpc":"2.0","method":"begun"}\n\n');
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(request(1, 'tools/call', { name: 'a' }));
    await witness.said('begun');
    link.abandon('1');
    link.send(notification('notifications/cancelled', { requestId: 1 }));
    await witness.exchange(({ status }) => status === 202);
    expect(requests.at(-1)?.body).toContain('notifications/cancelled');
    expect(witness.exchanges.map(({ status }) => status)).toEqual([200, 202]);
  });
});

it('never sends anything to mcpreel itself', async () => {
  const { url } = await rawHttpServer((_, response) => response.end());
  const target = new HttpTarget({ url });
  target.refuseOwnPort(Number(url.port));
  const { link, witness } = linkTo(openStreamableLink, url, { target });
  link.send(request(1, 'a'));
  expect((await witness.answerTo(1)).text).toContain('that is mcpreel itself');
});

it('reads nothing while it is paused', async () => {
  const event = `data: {"jsonrpc":"2.0","method":"m","params":{"data":"${'x'.repeat(1 << 16)}"}}\n\n`;
  const { url } = await rawHttpServer((_, response) => {
    response.writeHead(200, SSE_TYPE);
    const say = (): void => {
      while (response.write(event));
      response.once('drain', say);
    };
    say();
  });
  const { link, witness } = linkTo(openStreamableLink, url);
  link.send(request(1, 'a'));
  await witness.until(() => witness.messages[0]);
  link.pause();
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
  const { length } = witness.messages;
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  expect(witness.messages).toHaveLength(length);
  link.resume();
  await witness.until(() => witness.messages[length]);
});
