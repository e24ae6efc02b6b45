import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RawPeer } from '../http/raw-peers.ts';
import { startMock } from '../mock/stage.ts';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { seedExample } from '../support/session-texts.ts';
import { ServedView } from '../view/served-view.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

/** Request heads that a foreign web page or a raw socket may send, but no legitimate client. */
function forged(port: string, path: string): Readonly<Record<string, string>> {
  const own = `Host: 127.0.0.1:${port}\r\n`;
  const get = (fields: string, target = path): string => `GET ${target} HTTP/1.1\r\n${fields}`;
  const post = (fields: string): string =>
    `POST ${path} HTTP/1.1\r\n${own}${fields}Accept: application/json, text/event-stream\r\n`;
  const site = (from: string, mode: string, dest: string): string =>
    `Sec-Fetch-Site: ${from}\r\nSec-Fetch-Mode: ${mode}\r\nSec-Fetch-Dest: ${dest}\r\n`;
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n';
  return {
    'a name that was rebound': get(`Host: evil.example:${port}\r\n`),
    'a name that begins like ours': get(`Host: localhost.evil.example:${port}\r\n`),
    'our name with a dot behind it': get(`Host: localhost.:${port}\r\n`),
    'an address of all interfaces': get(`Host: 0.0.0.0:${port}\r\n`),
    'an IPv4 address in an IPv6 one': get(`Host: [::ffff:127.0.0.1]:${port}\r\n`),
    'an address as a number': get(`Host: 2130706433:${port}\r\n`),
    'a user before the host': get(`Host: 127.0.0.1:${port}@evil.example\r\n`),
    'no name': get('Host:\r\n'),
    'two hosts, ours first': get(`${own}Host: evil.example\r\n`),
    'two hosts, ours last': get(`Host: evil.example\r\n${own}`),
    'another host in the address': get(own, `http://evil.example${path}`),
    'our host in the address only': get('Host: evil.example\r\n', `http://127.0.0.1:${port}${path}`),
    'another origin': get(`${own}Origin: https://evil.example\r\n`),
    'two origins': get(`${own}Origin: http://127.0.0.1:${port}\r\nOrigin: https://evil.example\r\n`),
    'a page in a sandbox': get(`${own}Origin: null\r\n`),
    'a form': post('Origin: https://evil.example\r\nContent-Type: text/plain\r\n'),
    'a form of the old kind': post('Origin: null\r\nContent-Type: application/x-www-form-urlencoded\r\n'),
    'a beacon': post(`Origin: https://evil.example\r\nContent-Type: application/json\r\n`),
    'an event stream': get(`${own}Origin: https://evil.example\r\nAccept: text/event-stream\r\n`),
    'a WebSocket': get(`${own}Origin: https://evil.example\r\n${upgrade}`),
    'a preflight': `OPTIONS ${path} HTTP/1.1\r\n${own}Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n`,
    'an image': get(`${own}${site('cross-site', 'no-cors', 'image')}`),
    'a script': get(`${own}${site('same-site', 'no-cors', 'script')}`),
    'a frame': get(`${own}${site('cross-site', 'navigate', 'iframe')}`),
  };
}

/** The head of a request with which a browser follows a link of another page. */
function link(port: string, path: string, site = 'cross-site'): string {
  const fetched = `Sec-Fetch-Site: ${site}\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${fetched}Accept: text/html\r\n`;
}

/** Expects a link of another page to be refused. */
async function expectNoLink(url: string): Promise<void> {
  const { port, pathname } = new URL(url);
  for (const site of ['cross-site', 'same-site']) expect(await statusFor(url, link(port, pathname, site))).toBe('403');
}

/** Sends a head with a matching body, and returns the status, or an empty string if the connection just ends. */
async function statusFor(url: string, head: string): Promise<string> {
  const peer = await RawPeer.to(url);
  const body = head.startsWith('POST') ? CALL : '';
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
  await peer.write(`${head}${length}\r\n${body}`);
  const { start, fields } = await peer.message();
  expect(fields.filter(([name]) => /^(access-control|set-cookie|location|upgrade)/i.test(name))).toEqual([]);
  return start.split(' ')[1] ?? '';
}

/** Expects every forged request to be refused, and names those that were not. */
async function expectRefused(url: string, path: string, more = ''): Promise<void> {
  const answers: [string, string][] = [];
  for (const [what, head] of Object.entries(forged(new URL(url).port, path))) {
    answers.push([what, await statusFor(url, `${head}${more}`)]);
  }
  expect(answers.filter(([, status]) => status !== '403' && status !== '400')).toEqual([]);
  expect(answers.filter(([, status]) => status === '403').length).toBeGreaterThan(20);
}

describe('forged requests', () => {
  it('forged requests do not reach a server at a URL', async () => {
    let requested = 0;
    const server = createServer((_, response) => {
      requested++;
      response.end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    for (const transport of ['streamable-http', 'sse']) {
      const proxy = await startProxy(new Place(), ['--transport', transport, '--target-url', target]);
      await expectRefused(proxy.url, '/mcp');
      await expectNoLink(proxy.url);
      expect(requested).toBe(0);
      const { trace } = await proxy.stop();
      expect(trace.events.filter(({ kind }) => kind === 'http.exchange')).toEqual([]);
    }
  });

  it('a link of another page reaches only the paths for signing in, without added headers', async () => {
    const received: [string | undefined, string | undefined][] = [];
    const server = createServer(({ url, headers }, response) => {
      received.push([url, headers.authorization]);
      response.end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const flags = ['--target-url', target, '--header', 'Authorization: Bearer secret'];
    const proxy = await startProxy(new Place(), flags, null);
    const { port } = new URL(proxy.url);
    expect(await statusFor(proxy.url, link(port, '/oauth/callback?code=1'))).toBe('200');
    expect(await statusFor(proxy.url, link(port, '/.well-known/oauth-authorization-server'))).toBe('200');
    expect(await statusFor(proxy.url, link(port, '/.well-known/oauth-protected-resource/mcp'))).toBe('200');
    for (const path of [
      '/mcp/delete?all',
      '/.well-known/oauth-protected-resource/..%2f..%2fmcp',
      '/.well-known/anything/else',
      '/callback/..%2fmcp',
      '/callback/..;/mcp',
      '/callback/x',
      '/api/delete-all/callback',
      '/mcp/authorize',
      '//evil/callback',
    ]) {
      expect([path, await statusFor(proxy.url, link(port, path))]).toEqual([path, '403']);
    }
    expect(await statusFor(proxy.url, `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`)).toBe('200');
    expect(received).toEqual([
      ['/oauth/callback?code=1', undefined],
      ['/.well-known/oauth-authorization-server', undefined],
      ['/.well-known/oauth-protected-resource/mcp', undefined],
      ['/mcp', 'Bearer secret'],
    ]);
    await proxy.stop();
  });

  it.each(['streamable-http', 'sse'])('forged requests do not reach a program behind %s', async (transport) => {
    const proxy = await startProxy(new Place(), ['--listen-transport', transport, '--', ...echoServer]);
    await expectRefused(proxy.url, new URL(proxy.url).pathname);
    await expectNoLink(proxy.url);
    expect((await proxy.stop()).trace.messages).toEqual([]);
  });

  it('forged requests are not answered from a recording', async () => {
    const place = new Place();
    place.write('session.json', seedExample);
    const mock = await startMock(place, 'streamable-http');
    await expectRefused(mock.url, '/mcp');
    await expectNoLink(mock.url);
    await mock.stop();
  });

  it('forged requests get nothing from the page server, even with its token', async () => {
    const place = new Place();
    place.write('seed.json', seedExample);
    const view = await ServedView.start(place, ['seed.json', '--live']);
    for (const path of ['/api/opened', '/api/files/0', '/api/live', '/api/live/x/decide', '/api/replay/run']) {
      await expectRefused(view.url, path, `Authorization: Bearer ${view.token}\r\n`);
    }
    for (const path of ['/', '/index.html', '/open/ticket']) await expectRefused(view.url, path);
  });
});
