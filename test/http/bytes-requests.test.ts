import { randomBytes } from 'node:crypto';
import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Field } from './http-message.ts';
import { ask, bytesOf, inChunks, Line, OK, withLength } from './oracle.ts';

const BINARY = Uint8Array.from({ length: 2048 }, (_, index) => index % 256);

describe('forwarding an HTTP request', () => {
  it('keeps the order, case and number of request headers', async () => {
    const line = await Line.open();
    const fields: Field[] = [
      ['x-b', '1'],
      ['X-A', '2'],
      ['x-B', '3'],
      ['ACCEPT', 'application/json, text/event-stream'],
      ['X-a', '2'],
      ['Cookie', 'a=b; c=d'],
      ['cookie', 'e=f'],
      ['MCP-Protocol-Version', '2025-11-25'],
    ];
    await line.expectSame(
      { start: 'GET /mcp HTTP/1.1', fields: [['x-first', '0'], ['hOST', 'localhost'], ...fields] },
      OK,
    );
  });

  it('keeps any value of a request header', async () => {
    const line = await Line.open();
    const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('');
    const utf8 = Buffer.from('naïve ✓ 😀').toString('latin1');
    for (const value of ['', 'caf\xe9 \x80\xff', utf8, 'a\tb  c', ' \t a \t ', printable]) {
      await line.expectSame(
        ask('GET /mcp HTTP/1.1', [
          ['X-Odd', value],
          ['X-Last', 'z'],
        ]),
        OK,
      );
    }
  });

  it('keeps any HTTP method, with and without a body', async () => {
    const line = await Line.open();
    for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
      const answer = method === 'HEAD' ? { ...OK, body: '' } : OK;
      await line.expectSame(ask(`${method} /mcp HTTP/1.1`), answer);
      await line.expectSame(withLength(ask(`${method} /mcp HTTP/1.1`, [['X-A', 'b']], BINARY)), answer);
      await line.expectSame(inChunks(ask(`${method} /mcp HTTP/1.1`, [], BINARY), 100), answer);
      await line.expectSame(withLength(ask(`${method} /mcp HTTP/1.1`)), answer);
    }
  });

  it('keeps any request path', async () => {
    const line = await Line.open();
    const paths = [
      '/',
      '/other',
      '//double//slash',
      '/a/../b/./c',
      '/%2e%2e/%2F%00%zz%E9?q=%20+',
      '/mcp?',
      '/mcp??a=b&&c&token=mine#part',
      "/;a=b/:@!$&'()*+,=~-._",
      '/"<>\\^`{|}',
      `/${'long/'.repeat(20_000)}`,
    ];
    for (const path of paths) await line.expectSame(ask(`GET ${path} HTTP/1.1`), OK);
    await line.expectSame(ask('OPTIONS * HTTP/1.1'), OK);
  });

  it('forwards only the path of an absolute URL in the request line', async () => {
    const line = await Line.open();
    await line.expectSame(ask('GET http://localhost/a/../b%2e?c=d HTTP/1.1'), OK);
  });

  it('keeps a request body of known length and any bytes', async () => {
    const line = await Line.open();
    await line.expectSame(withLength(ask('POST /mcp HTTP/1.1', [['Content-Type', 'application/json']], BINARY)), OK);
  });

  it('keeps a request body in chunks of any size', async () => {
    const line = await Line.open();
    for (const max of [1, 7, 5000]) await line.expectSame(inChunks(ask('POST /mcp HTTP/1.1', [], BINARY), max), OK);
  });

  it('keeps the trailers of a request', async () => {
    const line = await Line.open();
    const trailers: Field[] = [
      ['X-Sum', 'abc'],
      ['x-sum', ''],
      ['X-Odd', '\x80 \xff'],
    ];
    await line.expectSame(
      inChunks(ask('POST /mcp HTTP/1.1', [['Trailer', 'X-Sum, X-Odd']], BINARY), 512, trailers),
      OK,
    );
  });

  it('forwards a request with 100 KB of headers, and one with 3,000 headers', async () => {
    const line = await Line.open();
    await line.expectSame(ask('GET /mcp HTTP/1.1', [['Authorization', `Bearer ${'x'.repeat(100 << 10)}`]]), OK);
    const many = Array.from({ length: 3000 }, (_, index): Field => [`X-${index}`, String(index)]);
    await line.expectSame(ask('GET /mcp HTTP/1.1', many), OK);
  });

  it('forwards a request body of 20 MB', async () => {
    const line = await Line.open();
    await line.expectSame(withLength(ask('POST /mcp HTTP/1.1', [], randomBytes(20 << 20))), OK);
  });

  it('forwards a request that arrives byte by byte', async () => {
    const line = await Line.open();
    const request = bytesOf(inChunks(ask('POST /mcp?a HTTP/1.1', [['X-A', 'b']], '{"jsonrpc":"2.0","id":1}'), 3));
    const arrived = line.server.requested().then((target) => target.message());
    await line.client.trickle(request.toString('latin1'));
    const { start, body } = await arrived;
    expect({ start, body: body.toString() }).toEqual({
      start: 'POST /mcp?a HTTP/1.1',
      body: '{"jsonrpc":"2.0","id":1}',
    });
  });

  it('removes hop-by-hop headers from a request', async () => {
    const line = await Line.open();
    await line.expectSame(
      ask('GET /mcp HTTP/1.1', [
        ['Connection', 'keep-alive, X-Own , TE'],
        ['Keep-Alive', 'timeout=5'],
        ['X-Own', 'for the proxy'],
        ['TE', 'trailers'],
        ['Proxy-Connection', 'keep-alive'],
        ['X-Kept', 'a'],
      ]),
      OK,
    );
    await line.expectSame(
      withLength(
        ask(
          'POST /mcp HTTP/1.1',
          [
            ['Connection', 'Upgrade'],
            ['Upgrade', 'websocket'],
          ],
          'body',
        ),
      ),
      OK,
    );
  });
});
