import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { eventsOf } from '../support/recordings.ts';
import { RawPeer, RawServer } from './raw-peers.ts';

const CALL = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}';
const AUTHORITY = tls('authority.pem');

function tls(name: string): string {
  return fileURLToPath(new URL(`../servers/tls/${name}`, import.meta.url));
}

/** An HTTPS server with one of the test certificates, stopped after the test. */
async function secureServer(name: 'server' | 'other'): Promise<string> {
  const server = createServer({ key: readFileSync(tls(`${name}-key.pem`)), cert: readFileSync(tls(`${name}.pem`)) });
  server.on('request', (_, response) => response.end('safe'));
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** The response of mcpreel to a client in front of this target, and its recording. */
async function reported(
  url: string,
  flags: readonly string[] = [],
  init: RequestInit = { method: 'POST', body: CALL, headers: { 'content-type': 'application/json' } },
): Promise<{ status: number; type: string | null; body: string; noted: string; exchange: unknown; trace: string }> {
  const place = new Place();
  const proxy = await startProxy(place, ['--target-url', url, ...flags]);
  const response = await fetch(proxy.url, init);
  const body = await response.text();
  const { outcome, trace } = await proxy.stop();
  expect(outcome.code).toBe(0);
  const [exchange] = eventsOf(trace, 'http.exchange');
  const type = response.headers.get('content-type');
  return { status: response.status, type, body, noted: outcome.stderr, exchange, trace: place.read('trace.jsonl') };
}

describe('a target that cannot be reached', () => {
  it('answers with 502 if the target refuses the connection', async () => {
    const server = await RawServer.open();
    const { host, url } = server;
    await server.close();
    const { status, body, exchange } = await reported(url);
    expect({ status, body: JSON.parse(body) as unknown }).toEqual({
      status: 502,
      body: {
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32000, message: `mcpreel: no response from ${host}: it refused the connection` },
      },
    });
    expect(exchange).toMatchObject({
      status: 502,
      answeredBy: 'mcpreel',
      error: `no response from ${host}: it refused the connection`,
      responseHeaders: [],
    });
  });

  it('answers with 502 if the host does not exist', async () => {
    const { status, body, exchange } = await reported('http://does-not-exist.invalid/mcp');
    const error = expect.stringMatching(
      /^no response from does-not-exist\.invalid: (?:there is no such host|its name cannot be looked up at the moment)$/,
    );
    expect(status).toBe(502);
    expect(JSON.parse(body)).toMatchObject({ id: 7 });
    expect(exchange).toMatchObject({ status: 502, error });
  });

  it('answers with 502 in plain text if the client did not mention JSON', async () => {
    const { status, type, body, trace } = await reported('http://does-not-exist.invalid/mcp', [], {});
    expect({ status, type }).toEqual({ status: 502, type: 'text/plain' });
    expect(body).toMatch(/^mcpreel: no response from does-not-exist\.invalid: .*\n$/);
    expect(trace).not.toContain('"injected"');
  });

  it('answers a HEAD request with 502 and no body', async () => {
    const { status, body } = await reported('http://does-not-exist.invalid/mcp', [], { method: 'HEAD' });
    expect({ status, body }).toEqual({ status: 502, body: '' });
  });

  it('answers with the id of a request whose body was still incomplete', async () => {
    const server = await RawServer.open();
    const { url } = server;
    await server.close();
    const proxy = await startProxy(new Place(), ['--target-url', url]);
    const client = await RawPeer.to(proxy.url);
    const fields = `Host: localhost\r\nAccept: application/json\r\nContent-Length: ${CALL.length}`;
    await client.write(`POST /mcp HTTP/1.1\r\n${fields}\r\n\r\n${CALL.slice(0, 20)}`);
    // Another client gets a response meanwhile.
    expect((await fetch(proxy.url)).status).toBe(502);
    await client.write(CALL.slice(20));
    expect(JSON.parse((await client.message()).body.toString())).toMatchObject({ id: 7 });
  });

  it('answers without an id if the request body does not complete', async () => {
    const server = await RawServer.open();
    const { url } = server;
    await server.close();
    const proxy = await startProxy(new Place(), ['--target-url', url]);
    const client = await RawPeer.to(proxy.url);
    await client.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/json\r\nContent-Length: 5\r\n\r\n{');
    expect(JSON.parse((await client.message()).body.toString())).toMatchObject({ id: null });
  });
});

describe('the TLS certificate of the target', () => {
  it('a certificate of an unknown authority is rejected', async () => {
    const { status, body, exchange } = await reported(await secureServer('server'));
    expect(status).toBe(502);
    expect(body).toContain('its certificate cannot be verified');
    expect(exchange).toMatchObject({ error: expect.stringContaining('its certificate cannot be verified') });
  });

  it('a certificate is accepted if --ca names its authority', async () => {
    const { status, body, noted } = await reported(await secureServer('server'), ['--ca', AUTHORITY]);
    expect({ status, body }).toEqual({ status: 200, body: 'safe' });
    expect(noted).not.toContain('WARNING');
  });

  it('a certificate for another host is rejected', async () => {
    const { status, body } = await reported(await secureServer('other'), ['--ca', AUTHORITY]);
    expect(status).toBe(502);
    expect(body).toContain('its certificate is for another host');
  });

  it('any certificate is accepted with --insecure, with a warning', async () => {
    const url = await secureServer('other');
    const { status, noted } = await reported(url, ['--insecure']);
    expect(status).toBe(200);
    expect(noted).toContain(`mcpreel: WARNING: the certificate of ${new URL(url).host} is not checked (--insecure)\n`);
  });

  it.each([
    ['that is not there', 'missing.pem', 'Error: Cannot read --ca missing.pem: no such file'],
    ['that is none', 'none.pem', 'Error: --ca none.pem has no certificate. The file must be PEM.'],
  ])('--ca rejects a file %s', async (_, name, sent) => {
    const place = new Place();
    place.write('none.pem', 'nothing');
    const args = ['proxy', 'start', '--target-url', 'https://127.0.0.1:1/', '--listen-port', '0', '--ca', name];
    const { code, stderr } = await place.run(args);
    expect(code).toBe(1);
    expect(stderr).toContain(sent);
  });
});
