import { describe, expect, it } from 'vitest';
import { ask, bytesOf, inChunks, Line, OK, withLength } from './oracle.ts';

const GET = ask('GET /mcp HTTP/1.1');

describe('an HTTP connection', () => {
  it('reuses connections on both sides for the next request', async () => {
    const line = await Line.open();
    for (let round = 0; round < 5; round++) await line.expectSame(GET, OK);
    expect(line.server.count).toBe(1);
  });

  it('closes the connection after the response if the client asks for it', async () => {
    const line = await Line.open();
    await line.expectSame(ask('GET /mcp HTTP/1.1', [['Connection', 'close']]), OK);
    expect(await line.client.rest()).toBe('');
  });

  it('forwards pipelined requests, and returns the responses in order', async () => {
    const line = await Line.open();
    await line.client.write(Buffer.concat(['/1', '/2', '/3'].map((path) => bytesOf(ask(`GET ${path} HTTP/1.1`)))));
    const targets = [await line.server.next(), await line.server.next(), await line.server.next()];
    const requested = await Promise.all(
      targets.map(async (target) => [(await target.message()).start, target] as const),
    );
    expect(requested.map(([start]) => start).toSorted()).toEqual(
      ['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1`),
    );
    // The target answers the requests in reverse order.
    for (const [start, target] of requested.toSorted().toReversed()) {
      await target.write(bytesOf(withLength({ start: 'HTTP/1.1 200 OK', body: `${start.slice(4, 6)}` })));
    }
    const answers = [await line.client.message(), await line.client.message(), await line.client.message()];
    expect(answers.map(({ body }) => body.toString())).toEqual(['/1', '/2', '/3']);
  });

  it('closes the connection at a broken response, after the responses before it', async () => {
    const line = await Line.open();
    await line.client.write(Buffer.concat(['/1', '/2'].map((path) => bytesOf(ask(`GET ${path} HTTP/1.1`)))));
    const targets = [await line.server.next(), await line.server.next()];
    const starts = await Promise.all(targets.map(async (target) => (await target.message()).start));
    const [first, second] = starts[0]?.includes('/1') ? targets : targets.toReversed();
    await second?.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\npart');
    second?.socket.end();
    await second?.closed;
    await first?.write(bytesOf(OK));
    expect((await line.client.message()).body.toString()).toBe('ok');
    expect(await line.client.rest()).not.toContain('Content-Length: 4');
  });

  it('returns every kind of response to HTTP/1.0 without chunks', async () => {
    const line = await Line.open();
    const answer = { start: 'HTTP/1.1 200 OK', body: 'some words' };
    const answers = [withLength(answer), inChunks(answer, 3, [['X-Sum', 'abc']]), { ...answer, ends: true }];
    for (const sent of answers) await line.expectSame(ask('GET /mcp HTTP/1.0'), sent, await line.connect());
    const kept = await line.connect();
    const request = ask('GET /mcp HTTP/1.0', [['Connection', 'keep-alive']]);
    await line.expectSame(request, withLength(answer), kept);
    await line.expectSame(request, withLength(answer), kept);
  });

  it('sends 100 Continue to a waiting client when the target does', async () => {
    const line = await Line.open();
    const request = withLength(ask('POST /mcp HTTP/1.1', [['Expect', '100-continue']], 'the body'));
    await line.client.write(bytesOf({ ...request, body: '' }));
    const target = await line.server.requested();
    expect(await target.until('\r\n\r\n')).toContain('Expect: 100-continue\r\n');
    await target.write('HTTP/1.1 100 Go on\r\nX-A: b\r\n\r\n');
    expect(await line.client.until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    await line.client.write('the body');
    await target.until('the body');
    await target.write(bytesOf(OK));
    expect((await line.client.message()).body.toString()).toBe('ok');
    await line.expectSame(GET, OK);
  });

  it('forwards a refusal to a client that waits for 100 Continue', async () => {
    const line = await Line.open();
    const request = withLength(ask('POST /mcp HTTP/1.1', [['Expect', '100-continue']], 'the body'));
    await line.client.write(bytesOf({ ...request, body: '' }));
    const target = await line.server.requested();
    await target.until('\r\n\r\n');
    await target.write(bytesOf({ ...OK, start: 'HTTP/1.1 417 No' }));
    expect((await line.client.message()).start).toBe('HTTP/1.1 417 No');
  });

  it('forwards any other Expect header', async () => {
    const line = await Line.open();
    await line.expectSame(withLength(ask('POST /mcp HTTP/1.1', [['Expect', 'tea']], 'body')), OK);
  });

  it('forwards 103 Early Hints with the order and case of their headers', async () => {
    const line = await Line.open();
    await line.client.write(bytesOf(GET));
    const target = await line.server.requested();
    await target.message();
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\nX-B: \x80\r\nLINK: </b>\r\n\r\n';
    await target.write(hints);
    expect(await line.client.until('\r\n\r\n')).toBe(hints);
    const processing = 'HTTP/1.1 102 Processing\r\n\r\n';
    await target.write(processing);
    expect(await line.client.until('\r\n\r\n')).toBe(processing);
    await target.write(bytesOf(OK));
    expect((await line.client.message()).body.toString()).toBe('ok');
  });

  it('forwards each event of a stream before the next is written', async () => {
    const line = await Line.open();
    await line.client.write(bytesOf(ask('GET /mcp HTTP/1.1', [['Accept', 'text/event-stream']])));
    const target = await line.server.requested();
    await target.message();
    await target.write(
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nMcp-Session-Id: 7\r\n\r\n',
    );
    // The head arrives before the body, because clients wait for it.
    expect(await line.client.until('\r\n\r\n')).toContain('Mcp-Session-Id: 7\r\n');
    const events = [
      'id: 1\nretry: 500\ndata:\n\n',
      ': idle\n\n',
      'event: message\r\ndata: {"jsonrpc":"2.0"}\r\n\r\n',
      'd',
      'ata: x',
    ];
    for (const event of events) {
      const chunk = `${event.length.toString(16)}\r\n${event}\r\n`;
      await target.write(chunk);
      expect(await line.client.until(chunk)).toBe(chunk);
    }
    await target.write('0\r\n\r\n');
    expect(await line.client.until('0\r\n\r\n')).toBe('0\r\n\r\n');
  });

  it('forwards each chunk of an upload before the next is sent', async () => {
    const line = await Line.open();
    await line.client.write(bytesOf({ ...ask('POST /mcp HTTP/1.1', [['Transfer-Encoding', 'chunked']]) }));
    const target = await line.server.requested();
    await target.until('\r\n\r\n');
    for (const chunk of ['3\r\nabc\r\n', '1\r\nd\r\n', '0\r\n\r\n']) {
      await line.client.write(chunk);
      expect(await target.until(chunk)).toBe(chunk);
    }
  });
});
