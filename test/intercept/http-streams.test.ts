import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { eventsOf } from '../support/recordings.ts';
import { Watch } from '../support/watch.ts';
import { note, ping, pong, type SteeredHttp, steerHttp } from './http-steered.ts';

const event = (id: number, text: string): string => `id: ${id}\ndata: ${text}\n\n`;

/** A server whose event streams the test writes. */
class Streams {
  readonly #changes = new Watch();
  readonly #open: ServerResponse[] = [];
  readonly posted: string[] = [];
  #taken = 0;

  async listen(headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const { url } = await rawHttpServer(({ method, body }, response) => {
      if (method === 'POST' && !body.includes('"id"')) {
        this.posted.push(body);
        response.writeHead(202).end();
      } else if (method === 'POST' && body.includes('"result"')) {
        this.posted.push(body);
        response.writeHead(202).end();
      } else {
        response.writeHead(200, { 'Content-Type': 'text/event-stream', ...headers }).flushHeaders();
        this.#open.push(response);
      }
      this.#changes.changed();
    });
    return url.href;
  }

  next(): Promise<ServerResponse> {
    const index = this.#taken++;
    return this.#changes.until(() => this.#open[index]);
  }

  wasReported(text: string): Promise<true> {
    return this.#changes.until(() => this.posted.includes(text) || undefined);
  }
}

/** What a client receives on a stream. */
class Received {
  text = '';
  readonly over: Promise<void>;
  readonly #changes = new Watch();

  constructor(response: Response) {
    this.over = this.#read(response);
    this.over.catch(() => undefined);
  }

  async #read(response: Response): Promise<void> {
    for await (const chunk of response.body ?? []) {
      this.text += Buffer.from(chunk).toString();
      this.#changes.changed();
    }
  }

  hears(text: string): Promise<true> {
    return this.#changes.until(() => this.text.includes(text) || undefined);
  }
}

async function listen({ proxy }: SteeredHttp, headers: Readonly<Record<string, string>> = {}): Promise<Received> {
  return new Received(await fetch(proxy.url, { headers: { Accept: 'text/event-stream', ...headers } }));
}

describe('a held SSE event', () => {
  it('a held event delays later events and the end of the stream, but not a comment', async () => {
    const streams = new Streams();
    const steered = await steerHttp(await streams.listen(), 'method:notifications/a');
    const received = await listen(steered);
    const stream = await streams.next();
    stream.write(`: hello\n\n${event(1, note('a'))}`);
    const held = await steered.screen.nextHeld();
    expect(held).toMatchObject({ direction: 'server_to_client', exchange: 0 });
    stream.end(`${event(2, note('b'))}: still here\n\n`);
    await received.hears(': still here\n\n');
    expect(received.text).toBe(': hello\n\n: still here\n\n');
    await steered.screen.live.decide(held.id, { action: 'forward' });
    await received.over;
    expect(received.text).toBe(`: hello\n\n: still here\n\n${event(1, note('a'))}${event(2, note('b'))}`);
  });

  it('later events can overtake a held one with --hold-out-of-order', async () => {
    const streams = new Streams();
    const steered = await steerHttp(await streams.listen(), 'method:notifications/a', ['--hold-out-of-order']);
    const received = await listen(steered);
    (await streams.next()).write(event(1, note('a')) + event(2, note('b')));
    await received.hears(event(2, note('b')));
    expect(received.text).toBe(event(2, note('b')));
  });

  it('an edited event keeps its id on the wire, and is recorded as an event of its stream', async () => {
    const streams = new Streams();
    const steered = await steerHttp(await streams.listen(), 'method:notifications/a');
    const received = await listen(steered);
    (await streams.next()).write(`event: message\r\nid: 9\r\ndata: ${note('a')}\r\n\r\n`);
    const held = await steered.screen.nextHeld();
    await steered.screen.live.decide(held.id, { action: 'edit', text: note('z') });
    await received.hears(`event: message\r\nid: 9\r\ndata: ${note('z')}\r\n\r\n`);
    expect(await steered.screen.recordedMessage(held)).toMatchObject({
      modified: true,
      raw: { method: 'notifications/z' },
      original: { method: 'notifications/a' },
      sse: { event: 'message', id: '9' },
      http: { exchange: 0 },
    });
  });

  it.each([
    ['2025-06-18', 'id: 1\n\n'],
    ['2025-11-25', 'id: 1\ndata:\n\n'],
  ])('keeps the id of a dropped event in the stream, for a client of %s', async (revision, left) => {
    const streams = new Streams();
    const steered = await steerHttp(await streams.listen(), 'method:notifications/a');
    const received = await listen(steered, { 'MCP-Protocol-Version': revision });
    const stream = await streams.next();
    stream.write(event(1, note('a')) + event(2, note('b')));
    await steered.screen.live.decide((await steered.screen.nextHeld()).id, { action: 'drop' });
    await received.hears(note('b'));
    expect(received.text).toBe(left + event(2, note('b')));
  });

  it('drops a held event when its client disconnects, and records the queued events', async () => {
    const streams = new Streams();
    const steered = await steerHttp(await streams.listen(), 'method:notifications/a');
    const leaving = new AbortController();
    await fetch(steered.proxy.url, { signal: leaving.signal });
    (await streams.next()).write(event(1, note('a')) + event(2, note('b')));
    const held = await steered.screen.nextHeld();
    leaving.abort();
    expect(await steered.screen.recordedMessage(held)).toMatchObject({ dropped: true });
    const { trace } = await steered.proxy.stop();
    expect(trace.messages.map(({ payload }) => payload.method)).toEqual(['notifications/a', 'notifications/b']);
  });

  it('a held request from the server can be answered instead of forwarded', async () => {
    const streams = new Streams();
    const steered = await steerHttp(await streams.listen(), 'method:roots/list');
    await (await steered.post(note('x'), { 'Mcp-Session-Id': 's1', Authorization: 'Bearer abc' })).text();
    const received = await listen(steered, { 'Mcp-Session-Id': 's1' });
    (await streams.next()).write(event(1, '{"jsonrpc":"2.0","id":"r","method":"roots/list"}') + event(2, note('b')));
    const held = await steered.screen.nextHeld();
    await steered.screen.live.decide(held.id, { action: 'answer', result: '{"roots":[]}' });
    await streams.wasReported('{"jsonrpc":"2.0","id":"r","result":{"roots":[]}}');
    await received.hears(note('b'));
    expect(received.text).toBe(`id: 1\n\n${event(2, note('b'))}`);
    const { trace } = await steered.proxy.stop();
    const answer = trace.messages.find(({ payload }) => payload.id === 'r' && 'result' in payload);
    expect(answer).toMatchObject({ direction: 'in', answers: held.id, conversation: 1 });
  });
});

describe('holding that starts in the middle of a stream', () => {
  it('starts holding with the next event, and leaves the stream intact when it stops', async () => {
    const streams = new Streams();
    const steered = await steerHttp(await streams.listen(), undefined);
    const received = await listen(steered);
    const stream = await streams.next();
    stream.write(`${event(1, note('a'))}id: 2\n`);
    await received.hears('id: 2\n');
    await steered.screen.hold();
    stream.write(`data: ${note('b')}\n\n${event(3, note('c'))}id: 4\nda`);
    await steered.screen.nextHeld();
    await received.hears(note('b'));
    expect(received.text).toBe(event(1, note('a')) + event(2, note('b')));
    await steered.screen.live.setMode('passthrough');
    await received.hears('id: 4\nda');
    stream.end(`ta: ${note('d')}\n\n`);
    await received.over;
    expect(received.text).toBe(['a', 'b', 'c', 'd'].map((name, at) => event(at + 1, note(name))).join(''));
    const { trace } = await steered.proxy.stop();
    expect(trace.messages.map(({ payload }) => payload.method)).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => `notifications/${name}`),
    );
    expect(eventsOf(trace, 'http.event')).toEqual([]);
  });
});

it('decodes a compressed stream that is intercepted from its start', async () => {
  const streams = new Streams();
  const steered = await steerHttp(await streams.listen({ 'Content-Encoding': 'gzip' }), 'method:notifications/a');
  const response = await fetch(steered.proxy.url);
  expect(response.headers.get('content-encoding')).toBe(null);
  const received = new Received(response);
  const gzip = createGzip();
  gzip.pipe(await streams.next());
  gzip.write(event(1, note('a')));
  gzip.flush();
  const held = await steered.screen.nextHeld();
  await steered.screen.live.decide(held.id, { action: 'edit', text: note('z') });
  await received.hears(event(1, note('z')));
  gzip.end(event(2, note('b')));
  await received.over;
  expect(received.text).toBe(event(1, note('z')) + event(2, note('b')));
  const { trace } = await steered.proxy.stop();
  expect(trace.messages.map(({ payload }) => payload.method)).toEqual(['notifications/z', 'notifications/b']);
  expect(trace.events.filter(({ kind }) => kind === 'mcpreel.gap')).toEqual([]);
});

it('aborts a stream whose content does not match its Content-Encoding', async () => {
  const streams = new Streams();
  const steered = await steerHttp(await streams.listen({ 'Content-Encoding': 'gzip' }), 'method:notifications/a');
  const received = await listen(steered);
  (await streams.next()).write(event(1, note('a')));
  await expect(received.over).rejects.toThrow();
});

it('aborts the stream after the held event when the target disconnects', async () => {
  const streams = new Streams();
  const steered = await steerHttp(await streams.listen(), 'method:notifications/a');
  const received = await listen(steered);
  const stream = await streams.next();
  stream.write(event(1, note('a')));
  const held = await steered.screen.nextHeld();
  stream.destroy();
  await steered.screen.live.decide(held.id, { action: 'forward' });
  await expect(received.over).rejects.toThrow();
  expect(received.text).toBe(event(1, note('a')));
});

describe('an injected message', () => {
  it('sends an injected message to the client on its open stream, between two events', async () => {
    const streams = new Streams();
    const steered = await steerHttp(await streams.listen(), undefined);
    const received = await listen(steered, { 'Mcp-Session-Id': 's1' });
    const stream = await streams.next();
    stream.write('data: {"jsonrpc":"2.0",');
    await received.hears('"2.0",');
    await steered.screen.live.inject({ direction: 'server_to_client', text: note('own') });
    stream.write('"method":"notifications/a"}\n\n');
    await received.hears(note('own'));
    expect(received.text).toBe(`data: ${note('a')}\n\nevent: message\ndata: ${note('own')}\n\n`);
    const { trace } = await steered.proxy.stop();
    expect(
      trace.messages.map(({ payload, conversation, exchange }) => [payload.method, conversation, exchange]),
    ).toEqual([
      ['notifications/a', 1, 0],
      ['notifications/own', 1, 0],
    ]);
  });

  it('sends an injected request with the headers of its client, and records the response', async () => {
    const { url, requests } = await rawHttpServer((request, response) => {
      const headers = { 'Content-Type': 'application/json', 'Mcp-Session-Id': 's1' };
      response.writeHead(200, headers).end(pong(JSON.parse(request.body).id));
    });
    const { proxy, screen, post } = await steerHttp(url.href, undefined);
    const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}';
    await (await post(initialize, { Authorization: 'Bearer abc', 'X-Own': '1' })).text();
    await screen.recorded(({ kind }) => kind === 'http.exchange');
    await screen.live.inject({ direction: 'client_to_server', text: ping(77) });
    await screen.recorded(({ raw }) => (raw as { id?: number } | undefined)?.id === 77 && 'result' in (raw as object));
    expect(requests[1]).toMatchObject({
      body: ping(77),
      headers: { authorization: 'Bearer abc', 'x-own': '1', 'mcp-session-id': 's1', 'content-length': '41' },
    });
    const { trace } = await proxy.stop();
    const [, , requested, answered] = trace.messages;
    expect([requested, answered]).toMatchObject([
      { payload: { id: 77 }, conversation: 1, exchange: 1 },
      { answers: requested?.id, conversation: 1, exchange: 1 },
    ]);
    expect(eventsOf(trace, 'http.exchange')).toMatchObject([{ exchange: 0 }, { exchange: 1, askedBy: 'mcpreel' }]);
  });

  it('refuses an injected message if no client listens, or if several do and none is named', async () => {
    const streams = new Streams();
    const steered = await steerHttp(await streams.listen(), undefined);
    const own = { direction: 'server_to_client', text: note('own') } as const;
    const { live } = steered.screen;
    await expect(live.inject(own)).rejects.toThrow('No client has an open event stream');
    await expect(live.inject({ ...own, direction: 'client_to_server' })).rejects.toThrow(
      'No client has sent a message yet',
    );
    const [one, other] = [
      await listen(steered, { 'Mcp-Session-Id': 'a' }),
      await listen(steered, { 'Mcp-Session-Id': 'b' }),
    ];
    await expect(live.inject(own)).rejects.toThrow('The session has several conversations: 1, 2');
    await live.inject({ ...own, conversation: 2 });
    await other.hears(note('own'));
    expect(one.text).toBe('');
  });
});
