import { describe, expect, it } from 'vitest';
import { eventsOf } from '../support/recordings.ts';
import { ask, bytesOf, Line, OK, withLength } from './oracle.ts';
import { RawServer } from './raw-peers.ts';

const CALL = '{"jsonrpc":"2.0","id":"a-7","method":"tools/list"}';
const POST = withLength(
  ask(
    'POST /mcp HTTP/1.1',
    [
      ['Content-Type', 'application/json'],
      ['Mcp-Session-Id', 's'],
    ],
    CALL,
  ),
);
const GET = ask('GET /mcp HTTP/1.1');

/** Sends a request and returns the target's connection once the request has arrived. */
async function requested(line: Line, request = POST): Promise<Awaited<ReturnType<RawServer['requested']>>> {
  await line.client.write(bytesOf(request));
  const target = await line.server.requested();
  await target.message();
  return target;
}

/** Resolves when mcpreel no longer reads a client's data, as shown by requests of other clients in between. */
async function stuck(line: Line): Promise<void> {
  const { socket } = line.client;
  for (let before = -1; before !== socket.writableLength; ) {
    before = socket.writableLength;
    await line.expectSame(GET, OK, await line.connect());
  }
  expect(socket.writableLength).toBeGreaterThan(0);
}

function ownError(reason: RegExp): object {
  return {
    jsonrpc: '2.0',
    id: 'a-7',
    error: { code: -32000, message: expect.stringMatching(reason) },
  };
}

describe('a target that disconnects', () => {
  it.each(['end', 'resetAndDestroy'] as const)(
    'a disconnect of the target before its headers causes a 502: %s',
    async (dies) => {
      const line = await Line.open();
      const target = await requested(line);
      target.socket[dies]();
      const answer = await line.client.message();
      expect(answer.start).toBe('HTTP/1.1 502 Bad Gateway');
      const message = JSON.parse(answer.body.toString()) as unknown;
      expect(message).toEqual(ownError(/^mcpreel: no response from 127\.0\.0\.1:\d+: it closed the connection$/));
      // mcpreel still works, also for this client.
      await line.expectSame(GET, OK);
      const { trace } = await line.proxy.stop();
      expect(trace.messages).toMatchObject([
        { payload: { id: 'a-7' } },
        { payload: message, answers: trace.messages[0]?.id },
      ]);
      expect(line.place.read('trace.jsonl')).toContain('"injected":true');
      expect(eventsOf(trace, 'http.exchange')).toMatchObject([
        { status: 502, answeredBy: 'mcpreel', error: expect.stringContaining('it closed the connection') },
        { status: 200, error: null },
      ]);
    },
  );

  it.each([
    ['of known length', 'Content-Length: 100\r\n\r\n', '{"jsonrpc":"2.0",', '{"jsonrpc":"2.0",'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n', '11\r\n{"jsonrpc":"2.0",\r\n', '{"jsonrpc":"2.0",\r\n'],
    [
      'in the middle of a chunk',
      'Transfer-Encoding: chunked\r\n\r\n',
      '64\r\n{"jsonrpc":"2.0",',
      '{"jsonrpc":"2.0",\r\n',
    ],
  ])(
    'a disconnect in a body %s leaves the client with the part so far and a broken connection',
    async (_, framing, sent, seen) => {
      for (const dies of ['end', 'resetAndDestroy'] as const) {
        const line = await Line.open();
        const target = await requested(line);
        // In one write: data that arrives together with the end must be delivered before it.
        await target.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${framing}${sent}`);
        if (dies === 'resetAndDestroy') await line.client.until('"2.0",');
        target.socket[dies]();
        const rest = await line.client.rest();
        if (dies === 'end') expect(rest.endsWith(seen)).toBe(true);
        expect(rest).not.toContain('0\r\n\r\n');
        const { trace } = await line.proxy.stop();
        expect(trace.messages).toHaveLength(1);
        expect(eventsOf(trace, 'http.exchange')).toMatchObject([
          { status: 200, error: expect.stringMatching(/closed/), bytes: { out: 17 } },
        ]);
      }
    },
  );

  it('a slow client still receives everything that the target sent before it disconnected', async () => {
    const line = await Line.open();
    const target = await requested(line);
    line.client.socket.pause();
    const body = Buffer.alloc(4 << 20, 'x');
    const sent = target.write(
      Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n'), body]),
    );
    target.socket.end();
    line.client.socket.resume();
    await sent;
    const rest = await line.client.rest();
    expect(rest.length - rest.indexOf('\r\n\r\n') - 4).toBe(body.length);
  });

  it('a disconnect in an event breaks the stream, and the events before it are recorded', async () => {
    const line = await Line.open();
    const target = await requested(line);
    const progress = '{"jsonrpc":"2.0","method":"notifications/progress"}';
    const text = `id: 1\ndata: ${progress}\n\nid: 2\ndata: {"jsonrpc":`;
    await target.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
    await target.write(`${text.length.toString(16)}\r\n${text}\r\n`);
    await line.client.until('data: {"jsonrpc":\r\n');
    target.socket.end();
    expect(await line.client.rest()).toBe('');
    const { trace } = await line.proxy.stop();
    expect(trace.messages.map(({ payload }) => payload)).toEqual([JSON.parse(CALL), JSON.parse(progress)]);
    expect(eventsOf(trace, 'http.event')).toMatchObject([{ id: '2', cut: true }]);
    expect(eventsOf(trace, 'http.exchange')).toMatchObject([{ status: 200, error: expect.stringMatching(/closed/) }]);
  });

  it('a disconnect during an upload causes a 502, and the client connection stays usable', async () => {
    const line = await Line.open();
    await line.client.write(bytesOf(ask('POST /mcp HTTP/1.1', [['Content-Length', String(8 << 20)]])));
    const target = await line.server.requested();
    await target.until('\r\n\r\n');
    target.socket.resetAndDestroy();
    await line.client.write(Buffer.alloc(8 << 20, 'x'));
    expect((await line.client.message()).start).toBe('HTTP/1.1 502 Bad Gateway');
    await line.expectSame(GET, OK);
  });

  it('an early response to a large upload does not block the client', async () => {
    const line = await Line.open();
    await line.client.write(bytesOf(ask('POST /mcp HTTP/1.1', [['Content-Length', String(32 << 20)]])));
    const pieces = Array.from({ length: 512 }, () => line.client.write(Buffer.alloc(64 << 10, 'x')));
    const target = await line.server.requested();
    await target.until('\r\n\r\n');
    target.socket.pause();
    await stuck(line);
    await target.write(bytesOf({ ...OK, start: 'HTTP/1.1 413 Too much' }));
    expect((await line.client.message()).start).toBe('HTTP/1.1 413 Too much');
    await Promise.all(pieces);
    target.socket.resume();
    await target.closed;
    await line.expectSame(GET, OK);
  });

  it('a target that comes back at the same address is used again', async () => {
    const line = await Line.open();
    await line.expectSame(GET, OK);
    const target = await requested(line);
    await target.write(bytesOf(OK));
    await line.client.message();
    const { port } = line.server;
    target.socket.destroy();
    await line.server.close();
    await line.client.write(bytesOf(POST));
    expect((await line.client.message()).start).toBe('HTTP/1.1 502 Bad Gateway');
    const again = await RawServer.open(port);
    await line.client.write(bytesOf(GET));
    const fresh = await again.requested();
    await fresh.message();
    await fresh.write(bytesOf(OK));
    expect((await line.client.message()).start).toBe('HTTP/1.1 200 OK');
  });
});

describe('a target with unexpected responses', () => {
  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'does not speak HTTP'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'does not speak HTTP'],
    ['headers without an end', `HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(300 << 10)}`, 'its headers are too large'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n', 'mcpreel'],
  ])('an invalid response causes a 502: %s', async (_, sent, why) => {
    const line = await Line.open();
    const target = await requested(line);
    await target.write(sent);
    const { start, body } = await line.client.message();
    expect(start).toBe('HTTP/1.1 502 Bad Gateway');
    expect(body.toString()).toContain(why);
    await line.expectSame(GET, OK);
  });

  it('invalid chunks close the connection to the client', async () => {
    const line = await Line.open();
    const target = await requested(line);
    await target.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n');
    await line.client.until('2\r\nab\r\n');
    await target.write('zz\r\n');
    expect(await line.client.rest()).toBe('');
    const { trace } = await line.proxy.stop();
    expect(eventsOf(trace, 'http.exchange')).toMatchObject([{ error: expect.stringContaining('not speak HTTP') }]);
  });

  it('an HTML page is forwarded and not recorded', async () => {
    const line = await Line.open();
    const fields = [['Content-Type', 'text/html; charset=utf-8']] as const;
    await line.expectSame(
      POST,
      withLength({ start: 'HTTP/1.1 502 Bad Gateway', fields, body: '<h1>Bad Gateway</h1>' }),
    );
    const { trace } = await line.proxy.stop();
    expect(eventsOf(trace, 'http.exchange')).toMatchObject([{ status: 502, error: null, bytes: { out: 20 } }]);
    expect(line.place.read('trace.jsonl')).not.toContain('<h1>');
  });

  it('a 401 challenge is forwarded, and so is the response to the retry', async () => {
    const line = await Line.open();
    const fields = [['WWW-Authenticate', 'Bearer realm="mcp"']] as const;
    await line.expectSame(POST, withLength({ start: 'HTTP/1.1 401 Unauthorized', fields }));
    const result = '{"jsonrpc":"2.0","id":"a-7","result":{"tools":[]}}';
    await line.expectSame(
      POST,
      withLength({ start: 'HTTP/1.1 200 OK', fields: [['Content-Type', 'application/json']], body: result }),
    );
    const { trace } = await line.proxy.stop();
    // Of two requests with the same id, the response belongs to the one in its own exchange.
    expect(trace.messages.map(({ answers }) => answers)).toEqual([undefined, undefined, trace.messages[1]?.id]);
    expect(eventsOf(trace, 'http.exchange')).toMatchObject([{ status: 401 }, { status: 200 }]);
  });
});
