import { describe, expect, it } from 'vitest';
import { eventsOf } from '../support/recordings.ts';
import { ask, bytesOf, Line, OK, withLength } from './oracle.ts';

const GET = ask('GET /mcp HTTP/1.1', [['Accept', 'text/event-stream']]);
const STREAM = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('a client that disconnects', () => {
  it.each(['destroy', 'resetAndDestroy', 'end'] as const)(
    'a disconnect in the middle of a stream closes the connection to the target: %s',
    async (leaves) => {
      const line = await Line.open();
      for (let round = 0; round < 5; round++) {
        const client = await line.connect();
        await client.write(bytesOf(GET));
        const target = await line.server.requested();
        await target.message();
        await target.write(`${STREAM}9\r\ndata: x\n\n\r\n`);
        await client.until('data: x\n\n');
        client.socket[leaves]();
        await target.closed;
      }
      await line.expectSame(GET, OK);
      const { trace } = await line.proxy.stop();
      expect(eventsOf(trace, 'http.exchange')).toMatchObject([
        ...Array(5).fill({ status: 200, error: 'the client left' }),
        { error: null },
      ]);
    },
  );

  it('a disconnect closes the target connections of all pipelined requests', async () => {
    const line = await Line.open();
    await line.client.write(Buffer.concat([bytesOf(GET), bytesOf(GET), bytesOf(GET)]));
    const targets = [await line.server.next(), await line.server.next(), await line.server.next()];
    await Promise.all(targets.map((target) => target.message()));
    line.client.socket.destroy();
    await Promise.all(targets.map(({ closed }) => closed));
    const { trace } = await line.proxy.stop();
    expect(eventsOf(trace, 'http.exchange')).toMatchObject(Array(3).fill({ error: 'the client left' }));
  });

  it('a disconnect before the response closes the connection to the target', async () => {
    const line = await Line.open();
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    await line.client.write(bytesOf(withLength(ask('POST /mcp HTTP/1.1', [], call))));
    const target = await line.server.requested();
    await target.message();
    line.client.socket.destroy();
    await target.closed;
    const { trace } = await line.proxy.stop();
    expect(trace.messages.map(({ payload }) => payload)).toEqual([JSON.parse(call)]);
    expect(eventsOf(trace, 'http.exchange')).toMatchObject([{ status: null, error: 'the client left' }]);
  });

  it.each(['destroy', 'resetAndDestroy'] as const)(
    'a disconnect during an upload breaks the request, and no response is recorded: %s',
    async (leaves) => {
      const line = await Line.open();
      await line.client.write(bytesOf(ask('POST /mcp HTTP/1.1', [['Content-Length', '100']], '{"jsonrpc":')));
      const target = await line.server.requested();
      await target.until('{"jsonrpc":');
      line.client.socket[leaves]();
      await target.closed;
      await line.expectSame(GET, OK, await line.connect());
      const { trace } = await line.proxy.stop();
      expect(trace.messages).toEqual([]);
      expect(eventsOf(trace, 'http.exchange')).toMatchObject([
        { status: null, error: 'the client left', bytes: { in: 11, out: 0 } },
        { error: null },
      ]);
      expect(line.place.read('trace.jsonl')).not.toContain('answeredBy');
    },
  );

  it('a client that does not read stops the target by backpressure, and leaves nothing open', async () => {
    const line = await Line.open();
    await line.client.write(bytesOf(GET));
    line.client.socket.pause();
    const target = await line.server.requested();
    await target.message();
    const body = Buffer.alloc(64 << 20, 'x');
    void target.write(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`), body]));
    // Backpressure stops the target, and mcpreel's memory does not fill.
    await line.expectSame(GET, OK, await line.connect());
    expect(target.socket.writableLength).toBeGreaterThan(32 << 20);
    line.client.socket.destroy();
    await target.closed;
    const { trace } = await line.proxy.stop();
    expect(eventsOf(trace, 'http.exchange')).toMatchObject([{ error: null }, { error: 'the client left' }]);
  });

  it('a target that does not read slows the client down by backpressure', async () => {
    const line = await Line.open();
    const body = Buffer.alloc(64 << 20, 'x');
    void line.client.write(bytesOf(withLength(ask('POST /mcp HTTP/1.1', [], body))));
    const target = await line.server.requested();
    target.socket.pause();
    await line.expectSame(GET, OK, await line.connect());
    expect(line.client.socket.writableLength).toBeGreaterThan(32 << 20);
    line.client.socket.destroy();
    target.socket.resume();
    await target.closed;
  });

  it('a client can reconnect, and the connection to the target is reused', async () => {
    const line = await Line.open();
    for (let round = 0; round < 3; round++) {
      const client = await line.connect();
      await line.expectSame(GET, OK, client);
      client.socket.destroy();
    }
    expect(line.server.count).toBe(1);
  });
});

describe('a client that sends invalid HTTP', () => {
  it.each([
    ['other words', 'hello\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    ['a method that HTTP does not know', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    ['bytes beyond ASCII in the path', 'GET /\xe9 HTTP/1.1\r\nHost: localhost\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'HTTP/1.1 400 Bad Request',
    ],
    [
      'headers of more than 256 KB',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'x'.repeat(300 << 10)}\r\n\r\n`,
      'HTTP/1.1 431 Request Header Fields Too Large',
    ],
    [
      'a request line of more than 256 KB',
      `GET /${'x'.repeat(300 << 10)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      'HTTP/1.1 431 Request Header Fields Too Large',
    ],
  ])('invalid HTTP is answered with an error and does not reach the target: %s', async (_, sent, expected) => {
    const line = await Line.open();
    await line.client.write(sent);
    expect((await line.client.until('\r\n')).trim()).toBe(expected);
    expect(line.server.count).toBe(0);
    await line.expectSame(GET, OK, await line.connect());
  });

  it('a CONNECT request is closed without a response', async () => {
    const line = await Line.open();
    await line.client.write('CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await line.client.rest()).toBe('');
    await line.expectSame(GET, OK, await line.connect());
    expect(line.server.count).toBe(1);
  });
});
