import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Field } from './http-message.ts';
import { ask, bytesOf, inChunks, Line, OK, type Sent, withLength } from './oracle.ts';

const BINARY = Uint8Array.from({ length: 2048 }, (_, index) => index % 256);
const GET = ask('GET /mcp HTTP/1.1', [['Accept', 'application/json']]);

const STATUSES = [
  '200 OK',
  '202 Accepted',
  '204 No Content',
  '301 Moved Permanently',
  '304 Not Modified',
  '400 Bad Request',
  '401 Unauthorized',
  '403 Forbidden',
  '404 Not Found',
  '405 Method Not Allowed',
  '406 Not Acceptable',
  '415 Unsupported Media Type',
  '500 Internal Server Error',
  '502 Bad Gateway',
  '503 Service Unavailable',
  '599 Whatever it is',
  '200 caf\xe9 \x80',
  '200 ',
];

describe('forwarding an HTTP response', () => {
  it('keeps any status and reason phrase, with and without a body', async () => {
    const line = await Line.open();
    const fields: Field[] = [
      ['Content-Type', 'text/html'],
      ['Location', 'http://elsewhere.invalid/'],
    ];
    for (const status of STATUSES) {
      const start = `HTTP/1.1 ${status}`;
      if (/^(?:204|304)/.test(status)) {
        await line.expectSame(GET, { start, fields });
        continue;
      }
      await line.expectSame(GET, withLength({ start, fields, body: '<h1>No</h1>' }));
      await line.expectSame(GET, inChunks({ start, fields, body: '<h1>No</h1>' }, 4));
      await line.expectSame(GET, withLength({ start }));
    }
  });

  it('keeps the order, case and number of response headers, and any value', async () => {
    const line = await Line.open();
    const fields: Field[] = [
      ['set-cookie', 'a=b'],
      ['X-B', ''],
      ['Set-Cookie', 'c=d; Path=/'],
      ['DATE', 'Tue, 01 Jan 2030 00:00:00 GMT'],
      ['x-odd', 'caf\xe9 \x80\xff'],
      ['Server', 'a\tb  c'],
      ['x-b', ' around '],
      ['Mcp-Session-Id', '8f14e45f'],
      ['WWW-Authenticate', 'Basic realm="x"'],
      ['WWW-Authenticate', 'Bearer realm="y"'],
    ];
    await line.expectSame(GET, withLength({ start: 'HTTP/1.1 200 OK', fields, body: 'ok' }));
  });

  it('keeps the length of a response to HEAD, which has no body', async () => {
    const line = await Line.open();
    const head = ask('HEAD /mcp HTTP/1.1');
    await line.expectSame(head, { start: 'HTTP/1.1 200 OK', fields: [['Content-Length', '1234']] });
    await line.expectSame(head, { start: 'HTTP/1.1 200 OK', fields: [['Transfer-Encoding', 'chunked']] });
    await line.expectSame(head, { start: 'HTTP/1.1 405 No', fields: [['Allow', 'GET, POST']] });
    await line.expectSame(GET, { start: 'HTTP/1.1 304 Not Modified', fields: [['Content-Length', '1234']] });
  });

  it('keeps a response body of any bytes, with a length or in chunks of any size', async () => {
    const line = await Line.open();
    const answer: Sent = { start: 'HTTP/1.1 200 OK', fields: [['Content-Type', 'image/png']], body: BINARY };
    await line.expectSame(GET, withLength(answer));
    for (const max of [1, 7, 5000]) await line.expectSame(GET, inChunks(answer, max));
  });

  it('keeps the trailers of a response', async () => {
    const line = await Line.open();
    const trailers: Field[] = [
      ['X-Sum', 'abc'],
      ['x-sum', ''],
      ['X-Odd', '\x80 \xff'],
    ];
    const fields: Field[] = [['Trailer', 'X-Sum, X-Odd']];
    await line.expectSame(GET, inChunks({ start: 'HTTP/1.1 200 OK', fields, body: BINARY }, 512, trailers));
    await line.expectSame(GET, inChunks({ start: 'HTTP/1.1 200 OK', fields }, 1, trailers));
  });

  it('forwards a response with 100 KB of headers, and one with 3,000 headers', async () => {
    const line = await Line.open();
    const large: Field[] = [['X-Large', 'x'.repeat(100 << 10)]];
    await line.expectSame(GET, withLength({ start: 'HTTP/1.1 200 OK', fields: large, body: 'ok' }));
    const many = Array.from({ length: 3000 }, (_, index): Field => [`X-${index}`, String(index)]);
    await line.expectSame(GET, withLength({ start: 'HTTP/1.1 200 OK', fields: many, body: 'ok' }));
  });

  it('forwards a response body of 20 MB', async () => {
    const line = await Line.open();
    const body = randomBytes(20 << 20);
    await line.expectSame(GET, withLength({ start: 'HTTP/1.1 200 OK', body }));
    await line.expectSame(GET, inChunks({ start: 'HTTP/1.1 200 OK', body }, 100_000));
  });

  it('forwards a response that arrives byte by byte', async () => {
    const line = await Line.open();
    await line.client.write(bytesOf(GET));
    const target = await line.server.requested();
    await target.message();
    const answer = bytesOf(
      inChunks({ start: 'HTTP/1.1 200 OK', fields: [['X-A', 'b']], body: '{"jsonrpc":"2.0"}' }, 3),
    );
    const arrived = line.client.message();
    await target.trickle(answer.toString('latin1'));
    expect((await arrived).body.toString()).toBe('{"jsonrpc":"2.0"}');
  });

  it('removes hop-by-hop headers from a response', async () => {
    const line = await Line.open();
    const fields: Field[] = [
      ['Connection', 'keep-alive, X-Own'],
      ['Keep-Alive', 'timeout=5'],
      ['X-Own', 'for the proxy'],
      ['Upgrade', 'h2c'],
      ['X-Kept', 'a'],
    ];
    await line.expectSame(GET, withLength({ start: 'HTTP/1.1 200 OK', fields, body: 'ok' }));
  });

  it('forwards a response that arrives before the request is complete', async () => {
    const line = await Line.open();
    await line.client.write(bytesOf({ ...ask('POST /mcp HTTP/1.1', [['Content-Length', '1000']]), body: 'the first' }));
    const target = await line.server.requested();
    await target.until('the first');
    await target.write(bytesOf({ ...OK, start: 'HTTP/1.1 413 Too much' }));
    expect((await line.client.message()).start).toBe('HTTP/1.1 413 Too much');
  });

  it('forwards a response that ends when its connection closes', async () => {
    const line = await Line.open();
    const body = 'until the end';
    await line.expectSame(GET, { start: 'HTTP/1.1 200 OK', fields: [['Connection', 'close']], body, ends: true });
    await line.expectSame(GET, { start: 'HTTP/1.0 200 OK', body, ends: true });
    await line.expectSame(GET, withLength({ start: 'HTTP/1.0 200 OK', body, ends: true }));
  });
});
