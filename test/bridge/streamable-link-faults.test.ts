import { describe, expect, it } from 'vitest';
import { HttpTarget } from '../../src/transport/http/http-target.ts';
import { openStreamableLink } from '../../src/transport/outbound/streamable-link.ts';
import { linkTo } from '../support/http-links.ts';
import { initialize, modernRequest, notification, request } from '../support/link-witness.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { idOf, JSON_TYPE, SSE_TYPE, sessionServer } from './streamable-server.ts';

describe('a request that fails', () => {
  it.each([
    [502, { 'Content-Type': 'text/html' }, '<h1>Bad Gateway</h1>', 'HTTP 502 Bad Gateway'],
    [401, { 'WWW-Authenticate': 'Bearer' }, '', 'HTTP 401 Unauthorized'],
    [401, JSON_TYPE, '{"error":"invalid_token"}', 'HTTP 401 Unauthorized'],
    [403, JSON_TYPE, '{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"of another"}}', 'HTTP 403 Forbidden'],
    [404, {}, '', 'HTTP 404 Not Found'],
    [307, { Location: 'http://elsewhere.invalid/mcp' }, '', 'HTTP 307 Temporary Redirect'],
    [303, { Location: '/see' }, '', 'HTTP 303 See Other'],
    [200, { 'Content-Type': 'text/html' }, '<p>Hello</p>', 'a response that is not JSON-RPC'],
    [200, JSON_TYPE, '', 'an empty response'],
    [200, SSE_TYPE, ': nothing\n\n', 'a response that ended early'],
    [200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, 'x', 'a response in the encoding gzip'],
  ])('a response with %i %o is replaced with an error', async (status, headers, body, message) => {
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

  it('returns the error that the server itself sent', async () => {
    const sent = '{"jsonrpc":"2.0", "id":5,"error":{"code":-32601,"message":"no such method","data":1.0}}';
    const { url } = await rawHttpServer((_, response) => response.writeHead(404, JSON_TYPE).end(`${sent}\n`));
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(modernRequest(5, 'tools/list'));
    const { text, origin } = await witness.answerTo(5);
    expect(text).toBe(sent);
    expect(origin).toEqual({ requestId: '5', exchange: 1 });
    expect(await witness.exchange(() => true)).toMatchObject({ status: 404, error: undefined });
  });

  it.each([400, 200])('adds the request id to an error of status %i that has none', async (status) => {
    const sent = '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request"},"id":null}';
    const { url } = await rawHttpServer((_, response) => response.writeHead(status, JSON_TYPE).end(sent));
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(request('five', 'tools/list'));
    expect((await witness.answerTo('five')).text).toBe(sent.replace('null', '"five"'));
  });

  it('follows redirects within the origin of the target, with the same method, headers and body', async () => {
    const { url, requests } = await rawHttpServer(({ path, body }, response) => {
      const next = { '/mcp': '/b/', '/b/': `http://${url.host}/c?d=1` }[path];
      if (next !== undefined) response.writeHead(path === '/mcp' ? 308 : 302, { Location: next }).end();
      else
        response
          .writeHead(200, JSON_TYPE)
          .end(JSON.stringify({ jsonrpc: '2.0', id: idOf({ body } as never), result: {} }));
    });
    const { link, witness } = linkTo(openStreamableLink, url, { headers: [['Authorization', 'Bearer secret']] });
    link.send(request(5, 'tools/list'));
    expect(JSON.parse((await witness.answerTo(5)).text)).toHaveProperty('result');
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /mcp', 'POST /b/', 'POST /c?d=1']);
    expect(new Set(requests.map(({ body, headers }) => body + headers.authorization)).size).toBe(1);
    await witness.exchange(({ status }) => status === 200);
    expect(witness.exchanges.map(({ status, path, error }) => [status, path, error])).toEqual([
      [308, '/mcp', undefined],
      [302, '/b/', undefined],
      [200, '/c?d=1', undefined],
    ]);
  });

  it('does not follow redirects to another origin, and stops endless redirects', async () => {
    const other = await rawHttpServer((_, response) => response.end());
    const { url, requests } = await rawHttpServer(({ body }, response) => {
      response.writeHead(307, { Location: body.includes('"id":1') ? other.url.href : '/mcp' }).end();
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(request(1, 'tools/list'));
    expect((await witness.answerTo(1)).text).toContain('HTTP 307 Temporary Redirect');
    expect(await witness.exchange(() => true)).toMatchObject({ redirectsTo: other.url.origin });
    expect(other.requests).toEqual([]);
    link.send(request(2, 'tools/list'));
    expect((await witness.answerTo(2)).text).toContain('HTTP 307 Temporary Redirect');
    expect(requests).toHaveLength(7);
  });

  it('a request for a missing session is answered with an error', async () => {
    const { url } = await sessionServer((_, response) => response.writeHead(404).end('no such session'));
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(request(1, 'tools/list'));
    const { error } = JSON.parse((await witness.answerTo(1)).text);
    expect(error).toMatchObject({ code: -32001, data: { httpStatus: 404 } });
  });

  it('a request is answered if the connection is refused', async () => {
    const { link, witness } = linkTo(openStreamableLink, new URL('http://127.0.0.1:1/mcp'));
    link.send('[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":"1","method":"b"}]');
    const texts = await Promise.all([witness.answerTo(1), witness.answerTo('1')]);
    for (const { text } of texts) {
      expect(text).toContain('no response from 127.0.0.1:1: it refused the connection');
    }
  });

  it('a request is answered if the host does not exist', async () => {
    const { link, witness } = linkTo(openStreamableLink, new URL('http://nowhere.invalid/mcp'));
    link.send(request(1, 'a'));
    expect((await witness.answerTo(1)).text).toMatch(/no response from nowhere\.invalid: /);
  });

  it('a request is answered if the server does not speak TLS', async () => {
    const { url } = await rawHttpServer((_, response) => response.end());
    const { link, witness } = linkTo(openStreamableLink, new URL(url.href.replace('http:', 'https:')));
    link.send(request(1, 'a'));
    expect((await witness.answerTo(1)).text).toMatch(/no response from 127\.0\.0\.1:\d+: it does not speak TLS/);
  });

  it('a request is answered if the connection is reset before the response headers', async () => {
    const { url } = await rawHttpServer((_, response) => response.socket?.resetAndDestroy());
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(request(1, 'a'));
    expect((await witness.answerTo(1)).text).toContain('it closed the connection');
    expect(await witness.exchange(() => true)).toMatchObject({ status: undefined, responseHeaders: [] });
  });

  it('a request is answered if the connection is reset in the middle of an event', async () => {
    const { url } = await rawHttpServer((_, response) => {
      response
        .writeHead(200, SSE_TYPE)
        .write('data: {"jsonrpc":"2.0","method":"before"}\n\ndata: {"jsonrpc":"2.0","id":1,');
      setImmediate(() => response.socket?.resetAndDestroy());
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(request(1, 'a'));
    expect((await witness.answerTo(1)).text).toContain('an incomplete response (it closed the connection)');
    expect((await witness.sent('before')).origin).toMatchObject({ requestId: '1', sse: '{"event":"message"}' });
  });

  it('a request is answered if its response is too long', async () => {
    const { url } = await rawHttpServer((requested, response) => {
      const isStream = requested.body.includes('stream');
      const body = JSON.stringify({ jsonrpc: '2.0', id: idOf(requested), result: 'x'.repeat(1000) });
      response.writeHead(200, isStream ? SSE_TYPE : JSON_TYPE).end(isStream ? `data: ${body}\n\n` : body);
    });
    const { link, witness } = linkTo(openStreamableLink, url, { maxMessageBytes: 500 });
    link.send(request(1, 'plain'));
    link.send(request(2, 'stream'));
    expect((await witness.answerTo(1)).text).toContain('more than 500 bytes in one response');
    expect((await witness.answerTo(2)).text).toMatch(/a message of \d+ characters/);
  });
});

it('reports a notification that fails, and sends nothing to the client', async () => {
  const { url } = await rawHttpServer((_, response) => response.writeHead(500).end());
  const { link, witness } = linkTo(openStreamableLink, url);
  link.send(notification('notifications/progress'));
  const exchange = await witness.exchange(() => true);
  expect(exchange).toMatchObject({ status: 500, error: `HTTP 500 Internal Server Error from ${url.host}` });
  expect(witness.messages).toEqual([]);
});

it('never sends anything to mcpreel itself', async () => {
  const { url } = await rawHttpServer((_, response) => response.end());
  const target = new HttpTarget({ url });
  target.refuseOwnPort(Number(url.port));
  const { link, witness } = linkTo(openStreamableLink, url, { target });
  link.send(request(1, 'a'));
  expect((await witness.answerTo(1)).text).toContain('that is mcpreel itself');
});
