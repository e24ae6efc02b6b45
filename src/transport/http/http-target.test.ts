import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { HttpTarget } from './http-target.ts';

/** A server that accepts connections and never sends anything. It is closed after the test. */
async function silentServer(onData: () => void = () => undefined): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', onData);
    onTestFinished(() => void socket.destroy());
  });
  server.listen(0, '0.0.0.0');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function targetAt(url: string, connectTimeoutMs?: number): HttpTarget {
  const target = new HttpTarget({ url: new URL(url), connectTimeoutMs });
  onTestFinished(() => target.close());
  return target;
}

async function errorOf(target: HttpTarget): Promise<NodeJS.ErrnoException> {
  const request = target.request({ method: 'GET', path: '/', headers: ['Host', 'localhost'] });
  request.end();
  const [error] = (await once(request, 'error')) as [NodeJS.ErrnoException];
  return error;
}

it('times out when a connection is not ready in time', async () => {
  const target = targetAt(`https://127.0.0.1:${await silentServer()}`, 50);
  expect(await errorOf(target)).toMatchObject({ code: 'ETIMEDOUT', message: 'no connection within 0.05 s' });
});

it('waits for a response without a timeout', async () => {
  const port = await silentServer();
  const request = targetAt(`http://127.0.0.1:${port}`, 20).request({ method: 'GET', path: '/', headers: [] });
  request.end();
  let failed = false;
  request.on('error', () => (failed = true));
  // When this TLS connection times out, the connect timeout of the first request has passed too.
  await errorOf(targetAt(`https://127.0.0.1:${port}`, 60));
  expect(failed).toBe(false);
  request.destroy();
});

it('closes an idle connection but not one in use', async () => {
  const streams: ServerResponse[] = [];
  const server = createHttpServer((requested, response) => {
    if (requested.url === '/stream') streams.push(response.writeHead(200));
    response[requested.url === '/stream' ? 'flushHeaders' : 'end']();
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const target = new HttpTarget({ url, idleMs: 20 });
  onTestFinished(() => target.close());
  const get = async (path: string): Promise<IncomingMessage> => {
    const request = target.request({ method: 'GET', path, headers: ['Host', 'localhost'] });
    request.end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  };
  const stream = await get('/stream');
  const answer = await get('/');
  answer.resume();
  await once(answer.socket, 'close');
  streams[0]?.end('still here');
  expect(String(await once(stream, 'data'))).toBe('still here');
});

it.each([
  ['the address itself', '127.0.0.1', '127.0.0.1', true],
  ['the name of this machine', 'localhost', '127.0.0.1', true],
  ['an IPv4 address in IPv6', '[::ffff:127.0.0.1]', '127.0.0.1', true],
  ['an address of this machine, listening on all of them', '127.0.0.2', '0.0.0.0', true],
  ['the same port of another address', '127.0.0.1', '127.0.0.2', false],
])('refuses only connections to its own listener: %s', async (_, host, own, isRefused) => {
  let received: (what: string) => void = () => undefined;
  const sent = new Promise<string>((resolve) => (received = resolve));
  const port = await silentServer(() => received('sent'));
  const target = targetAt(`http://${host}:${port}`);
  target.refuseOwnPort(port, own);
  const request = target.request({ method: 'GET', path: '/', headers: ['Host', 'localhost'] });
  request.end();
  const refused = once(request, 'error').then(([error]) => (error as NodeJS.ErrnoException).code);
  expect(await Promise.race([refused, sent])).toBe(isRefused ? 'EOWNADDRESS' : 'sent');
  request.destroy();
  await refused;
});
