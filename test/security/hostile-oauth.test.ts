import { expect, it } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';

const METADATA = '/.well-known/oauth-protected-resource/mcp';

/** Addresses that look like the target's, and are not. */
const FOREIGN = [
  'http://127.0.0.1:PORT@evil.example/mcp',
  'http://127.0.0.1:PORT.evil.example/mcp',
  'http://127.0.0.1:PORT0/mcp',
  'https://127.0.0.1:PORT/mcp',
  'http://evil.example/?u=http://127.0.0.1:PORT/mcp',
  'http:\\\\/\\\\/127.0.0.1:PORT@evil.example\\\\/mcp',
  'javascript:alert(1)//127.0.0.1:PORT',
  'file:///etc/passwd',
];

it('names of other hosts in OAuth metadata and challenges stay unchanged, and are not contacted', async () => {
  const stranger = await rawHttpServer((_, response) => response.end('{}'));
  let port = '';
  const addresses = (): string[] => [...FOREIGN.map((address) => address.replaceAll('PORT', port)), stranger.url.href];
  const target = await rawHttpServer(({ path }, response) => {
    if (path === METADATA) {
      const servers = addresses()
        .map((address) => `"${address}"`)
        .join(',');
      const text = `{"resource":"http://127.0.0.1:${port}/mcp","authorization_servers":[${servers}],"jwks_uri":"${stranger.url.href}"}`;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
      return;
    }
    const challenges = addresses().map((address) => `Bearer resource_metadata="${address}"`);
    response.writeHead(401, { 'WWW-Authenticate': challenges }).end();
  });
  port = target.url.port;
  const proxy = await startProxy(new Place(), ['--target-url', target.url.href]);
  const own = new URL(proxy.url).origin;
  const metadata = (await (await fetch(`${own}${METADATA}`)).json()) as Record<string, unknown>;
  expect(metadata.resource).toBe(`${own}/mcp`);
  const expected = addresses().map((address) => address.replaceAll('\\\\/', '\\/'));
  expect(metadata.authorization_servers).toEqual(expected);
  expect(metadata.jwks_uri).toBe(stranger.url.href);
  const refused = await fetch(proxy.url, { method: 'POST', body: '{}' });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).not.toContain(own);
  expect(stranger.requests).toEqual([]);
  await proxy.stop();
});

it.each([
  ['never ends', (write: (text: string) => void) => write(`{"resource":"x","a":"${'x'.repeat(3 << 20)}`)],
  ['has a million levels', (write: (text: string) => void) => write(`{"resource":${'['.repeat(1_000_000)}`)],
  ['is no JSON', (write: (text: string) => void) => write('{"resource":"http://127.0.0.1')],
  ['is empty', () => undefined],
])('OAuth metadata that %s passes unchanged, and other requests are served', async (_, send) => {
  const sent: string[] = [];
  send((text) => sent.push(text));
  const target = await rawHttpServer(({ path }, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(path === METADATA ? sent.join('') : '{"jsonrpc":"2.0","id":1,"result":{}}');
  });
  const proxy = await startProxy(new Place(), ['--target-url', target.url.href]);
  const received = await (await fetch(new URL(METADATA, proxy.url))).text();
  expect(received === sent.join('')).toBe(true);
  const ping = await fetch(proxy.url, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
  expect(await ping.text()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
  expect((await proxy.stop()).outcome.code).toBe(0);
});
