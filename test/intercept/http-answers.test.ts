import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RawServer } from '../http/raw-peers.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { ping, pong, steerHttp } from './http-steered.ts';

const answering = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, status = 200) =>
  rawHttpServer((_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  });

describe('a held HTTP response', () => {
  it('a held response holds back its headers too, and is then forwarded byte for byte', async () => {
    const target = await RawServer.open();
    const { proxy, screen, connect } = await steerHttp(target.url, 'method:ping dir:<');
    const client = await connect();
    const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(proxy.url).host}\r\nContent-Type: application/json\r\n`;
    await client.write(`${head}Content-Length: ${ping(1).length}\r\n\r\n${ping(1)}`);
    const server = await target.next();
    await server.message();
    const answer = `HTTP/1.1 200 Fine\r\ncontent-TYPE: application/json\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n`;
    await server.write(`${answer}1\r\n \r\n${pong(1).length.toString(16)}\r\n${pong(1)}\r\n0\r\nX-Sum: 3\r\n\r\n`);
    const held = await screen.nextHeld();
    expect(held).toMatchObject({ direction: 'server_to_client', exchange: 0, text: pong(1) });
    expect(client.isEmpty).toBe(true);
    await screen.live.decide(held.id, { action: 'forward' });
    const got = await client.message();
    expect(got.start).toBe('HTTP/1.1 200 Fine');
    expect(got.fields.slice(0, 3)).toEqual([
      ['content-TYPE', 'application/json'],
      ['X-A', '1'],
      ['Transfer-Encoding', 'chunked'],
    ]);
    expect([got.body.toString(), got.trailers]).toEqual([` ${pong(1)}`, [['X-Sum', '3']]]);
  });

  it('a held response is dropped when its client disconnects', async () => {
    const { url } = await answering(pong(1));
    const { proxy, screen } = await steerHttp(url.href, 'method:ping dir:<');
    const leaving = new AbortController();
    const waiting = fetch(proxy.url, { method: 'POST', body: ping(1), signal: leaving.signal }).catch(() => 'left');
    const held = await screen.nextHeld();
    leaving.abort();
    expect(await waiting).toBe('left');
    expect(await screen.recordedMessage(held)).toMatchObject({ dropped: true, raw: JSON.parse(pong(1)) });
  });

  it('a held response is forwarded at its timeout', async () => {
    const { url } = await answering(pong(1));
    const { proxy, screen, post } = await steerHttp(url.href, undefined, [
      ...['--hold', 'method:ping dir:<', '--hold-timeout', '0.2'],
    ]);
    expect(await (await post(ping(1))).text()).toBe(pong(1));
    await screen.recorded(({ raw }) => (raw as { by?: string } | undefined)?.by === 'timeout');
    await proxy.stop();
  });
});

describe('an edited HTTP response', () => {
  it('an edited response has a new length, no encoding, and the original status', async () => {
    const { url } = await answering(gzipSync(pong(1)), { 'Content-Encoding': 'gzip', 'X-A': '1' }, 404);
    const { screen, post } = await steerHttp(url.href, 'method:ping dir:<');
    const waiting = post(ping(1));
    const held = await screen.nextHeld();
    expect(held.text).toBe(pong(1));
    await screen.live.decide(held.id, { action: 'edit', text: pong(1, '"é":1') });
    const response = await waiting;
    const { headers } = response;
    expect([response.status, headers.get('content-encoding'), headers.get('x-a')]).toEqual([404, null, '1']);
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(pong(1, '"é":1'))));
    expect(await response.text()).toBe(pong(1, '"é":1'));
    expect(await screen.recordedMessage(held)).toMatchObject({ modified: true, original: JSON.parse(pong(1)) });
  });

  it('a dropped response is not sent, and the client keeps waiting', async () => {
    const { url } = await answering(pong(1));
    const { proxy, screen, connect } = await steerHttp(url.href, 'method:ping dir:<');
    const client = await connect();
    const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(proxy.url).host}\r\nContent-Type: application/json\r\n`;
    await client.write(`${head}Content-Length: ${ping(1).length}\r\n\r\n${ping(1)}`);
    const held = await screen.nextHeld();
    await screen.live.decide(held.id, { action: 'drop' });
    expect(await screen.recordedMessage(held)).toMatchObject({ dropped: true });
    await proxy.stop();
    expect(await client.rest()).toBe('');
  });
});

describe('HTTP responses in intercept mode', () => {
  it('a response that does not match the filter is forwarded unchanged, with its encoding', async () => {
    const zipped = gzipSync(pong(1));
    const { url } = await answering(zipped, { 'Content-Encoding': 'gzip' });
    const { proxy, post } = await steerHttp(url.href, 'tool:other');
    const response = await post(ping(1));
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe(pong(1));
    const { trace } = await proxy.stop();
    expect(trace.messages.map(({ payload }) => payload)).toEqual([JSON.parse(ping(1)), JSON.parse(pong(1))]);
    expect(trace.events.filter(({ kind }) => kind === 'mcpreel.gap')).toEqual([]);
  });

  it('a response that breaks off leaves the client with the part that arrived', async () => {
    const target = await RawServer.open();
    const { proxy, connect } = await steerHttp(target.url, 'ping');
    const client = await connect();
    const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(proxy.url).host}\r\nContent-Type: application/json\r\n`;
    await client.write(`${head}Content-Length: 2\r\n\r\n{}`);
    const server = await target.next();
    await server.message();
    await server.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"json');
    server.socket.end();
    expect(await client.rest()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\{"json$/s);
  });

  it('the address in protected resource metadata is still rewritten to mcpreel', async () => {
    const { url } = await rawHttpServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ resource: url.href }));
    });
    const { proxy } = await steerHttp(url.href, 'ping');
    const response = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', proxy.url));
    expect(await response.json()).toEqual({ resource: proxy.url });
  });
});
