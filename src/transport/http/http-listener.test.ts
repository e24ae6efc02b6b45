import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type HttpListener, type ListenerOptions, openListener } from './http-listener.ts';

/** A listener on this machine that is closed after the test. */
async function listening(options: Partial<ListenerOptions> = {}): Promise<HttpListener> {
  const onRequest: ListenerOptions['onRequest'] = (_, response) => response.end();
  const listener = await openListener({ host: '127.0.0.1', port: 0, onRequest, ...options });
  onTestFinished(() => listener.close());
  return listener;
}

function connected({ port }: HttpListener): Socket {
  const socket = connect({ host: '127.0.0.1', port });
  onTestFinished(() => void socket.destroy());
  return socket;
}

async function all(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

function get({ origin }: HttpListener): ClientRequest {
  const requested = request(origin, { agent: false });
  requested.on('error', () => undefined);
  requested.end();
  onTestFinished(() => void requested.destroy());
  return requested;
}

const SHORT = { headersMs: 40, requestMs: 80, checkEveryMs: 10 };

it('cuts off a client that is slow with the head of its request, and one that is slow with its body', async () => {
  const listener = await listening({ patience: SHORT, onRequest: (requested) => void requested.resume() });
  for (const sent of [
    'GET / HTTP/1.1\r\nHost: loc',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab',
  ]) {
    const socket = connected(listener);
    socket.write(sent);
    expect(await all(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  }
});

it('does not cut off a stream for being idle', async () => {
  let write: (text: string) => void = () => undefined;
  const listener = await listening({
    patience: { ...SHORT, keepAliveMs: 20 },
    onRequest: (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.flushHeaders();
      write = (text) => response.end(text);
    },
  });
  const [stream] = (await once(get(listener), 'response')) as [IncomingMessage];
  // A client that is too slow has reached its timeout by then.
  const slow = connected(listener);
  slow.write('GET / HTTP/1.1\r\n');
  // Windows resets a connection that is closed with unread data.
  await all(slow).catch(() => undefined);
  write('data: still here\n\n');
  expect(await all(stream as unknown as Socket)).toBe('data: still here\n\n');
});

it('reports why it refuses a request and closes the connection', async () => {
  const listener = await listening();
  const socket = connected(listener);
  socket.write('POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100\r\n\r\n');
  const reported = await all(socket);
  expect(reported).toMatch(/^HTTP\/1\.1 403 Forbidden\r\nContent-Type: application\/json\r\n/);
  expect(reported).toContain(
    '"id":null,"error":{"code":-32000,"message":"mcpreel: refused Host \\"evil.example\\". Connect to ',
  );
});

it('reports its own address and closes while connections are open', async () => {
  let isRequested: () => void = () => undefined;
  const requested = new Promise<void>((resolve) => (isRequested = resolve));
  const listener = await listening({ onRequest: () => isRequested() });
  expect(listener).toMatchObject({ address: '127.0.0.1', origin: `http://127.0.0.1:${listener.port}` });
  const idle = connected(listener);
  await once(idle, 'connect');
  const waiting = new Promise((resolve) => get(listener).once('close', resolve));
  await requested;
  await Promise.all([listener.close(), waiting, all(idle)]);
});

it.each([
  ['EADDRNOTAVAIL', { host: '192.0.2.1', port: 0 }, 'Cannot listen on 192.0.2.1:0: this machine has no such address'],
  ['of IPv6', { host: '2001:db8::1', port: 0 }, 'Cannot listen on [2001:db8::1]:0: this machine has no such address'],
])('reports why it cannot listen: %s', async (_, where, message) => {
  await expect(listening(where)).rejects.toMatchObject({ code: 'cannot-listen', message });
});

it('reports that a port is in use', async () => {
  const { port } = await listening();
  await expect(listening({ port })).rejects.toMatchObject({
    code: 'cannot-listen',
    message: `Cannot listen on 127.0.0.1:${port}: the port is in use`,
  });
});
