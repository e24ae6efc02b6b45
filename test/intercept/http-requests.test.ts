import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exchangesOf } from '../http/exchanges.ts';
import { chunked } from '../http/http-message.ts';
import { RawServer } from '../http/raw-peers.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { note, ping, pong, steerHttp } from './http-steered.ts';

const answering = () =>
  rawHttpServer(({ body }, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body.includes('"id"') ? pong(1) : '');
  });

const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
const call = (name: string, args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args},${META}}}`;

describe('a held HTTP request', () => {
  it('a held request opens no connection before its release, and is then forwarded byte for byte', async () => {
    const target = await RawServer.open();
    const { proxy, screen, connect } = await steerHttp(target.url, 'method:ping dir:>');
    const client = await connect();
    const head = `POST /mcp HTTP/1.1\r\nhost: ${new URL(proxy.url).host}\r\nContent-TYPE: application/json\r\nX-a:  é \r\n`;
    const body = Buffer.from(` ${ping(1, ',"params":{"n":1.0}')}\n`);
    await client.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    await client.write(chunked(body, 7, [['X-Sum', '3']]));
    const held = await screen.nextHeld();
    expect(held).toMatchObject({ direction: 'client_to_server', exchange: 0, conversation: 0 });
    expect(target.count).toBe(0);
    await screen.live.decide(held.id, { action: 'forward' });
    const requested = await (await target.next()).message();
    expect(requested.start).toBe('POST /mcp HTTP/1.1');
    expect(requested.fields.slice(0, 4)).toEqual([
      ['host', target.host],
      ['Content-TYPE', 'application/json'],
      ['X-a', 'é'],
      ['Transfer-Encoding', 'chunked'],
    ]);
    expect(requested.body).toEqual(body);
    expect(requested.trailers).toEqual([['X-Sum', '3']]);
  });

  it('a held request does not block others', async () => {
    const { url, requests } = await answering();
    const { screen, post } = await steerHttp(url.href, 'method:ping dir:>');
    const waiting = post(ping(1));
    const held = await screen.nextHeld();
    expect((await post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).status).toBe(200);
    expect(requests).toHaveLength(1);
    await screen.live.decide(held.id, { action: 'forward' });
    expect(await (await waiting).text()).toBe(pong(1));
  });

  it('a held request is dropped when its client disconnects, and never reaches the target', async () => {
    const { url, requests } = await answering();
    const { proxy, screen, post } = await steerHttp(url.href, 'method:ping dir:>');
    const leaving = new AbortController();
    const waiting = fetch(proxy.url, { method: 'POST', body: ping(1), signal: leaving.signal }).catch(() => 'left');
    const held = await screen.nextHeld();
    leaving.abort();
    expect(await waiting).toBe('left');
    expect(await screen.releaseOf(held)).toMatchObject({ by: 'end', decision: { action: 'drop' } });
    expect(await screen.recordedMessage(held)).toMatchObject({ dropped: true, raw: JSON.parse(ping(1)) });
    await post(note('x'));
    expect(requests.map(({ body }) => body)).toEqual([note('x')]);
    const { trace } = await proxy.stop();
    expect(exchangesOf(trace)[0]).toMatchObject({ exchange: 0, status: null, error: 'the client left' });
  });

  it('a client that expects 100 Continue receives it before its request is held', async () => {
    const { url, requests } = await answering();
    const { proxy, screen, connect } = await steerHttp(url.href, 'method:ping dir:>');
    const client = await connect();
    const { host } = new URL(proxy.url);
    const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n`;
    await client.write(`${head}Content-Length: ${ping(1).length}\r\n\r\n`);
    await client.until('HTTP/1.1 100 Continue\r\n\r\n');
    await client.write(ping(1));
    await screen.live.decide((await screen.nextHeld()).id, { action: 'forward' });
    const answer = await client.message();
    expect([answer.start, answer.body.toString()]).toEqual(['HTTP/1.1 200 OK', pong(1)]);
    expect(requests.map(({ body }) => body)).toEqual([ping(1)]);
  });

  it('a held request is forwarded and answered when the session ends', async () => {
    const { url } = await answering();
    const { proxy, screen, post } = await steerHttp(url.href, 'method:ping dir:>');
    const waiting = post(ping(1));
    const held = await screen.nextHeld();
    const [answer, { trace, outcome }] = await Promise.all([waiting.then((response) => response.text()), proxy.stop()]);
    expect([answer, outcome.code]).toEqual([pong(1), 0]);
    expect(trace.messages.map(({ payload }) => payload)).toEqual([JSON.parse(ping(1)), JSON.parse(pong(1))]);
    expect(trace.messages[1]?.answers).toBe(held.id);
  });
});

describe('an edited HTTP request', () => {
  it('an edited request has a new length, no encoding, and is otherwise unchanged', async () => {
    const target = await RawServer.open();
    const { proxy, screen, connect } = await steerHttp(target.url, 'method:ping dir:>');
    const client = await connect();
    const zipped = gzipSync(ping(1));
    const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(proxy.url).host}\r\nA: 1\r\nCONTENT-LENGTH: ${zipped.length}\r\n`;
    await client.write(`${head}Content-Encoding: gzip\r\nContent-Type: application/json\r\nB: 2\r\n\r\n`);
    await client.write(zipped);
    const held = await screen.nextHeld();
    expect(held.text).toBe(ping(1));
    const edited = ping(1, ',"params":{"é":[1,\n2]}');
    await screen.live.decide(held.id, { action: 'edit', text: edited });
    const requested = await (await target.next()).message();
    expect(requested.body.toString()).toBe(edited);
    expect(requested.fields.slice(0, 5)).toEqual([
      ['Host', target.host],
      ['A', '1'],
      ['CONTENT-LENGTH', String(Buffer.byteLength(edited))],
      ['Content-Type', 'application/json'],
      ['B', '2'],
    ]);
    expect(await screen.recordedMessage(held)).toMatchObject({
      modified: true,
      raw: JSON.parse(edited),
      original: JSON.parse(ping(1)),
      http: { exchange: 0 },
    });
  });

  it('an edited request of the newest revision has headers that match its body', async () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const { url, requests } = await rawHttpServer(({ body }, response) => {
      const result = body.includes('tools/list') ? `"tools":[${JSON.stringify({ name: 'find', inputSchema })}]` : '';
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(pong(1, result));
    });
    // mcpreel knows the tool's declaration from traffic before the control client connected.
    const { screen, post } = await steerHttp(url.href, undefined);
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
    await (await post(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${META}}}`, headers)).text();
    await screen.hold('method:tools/call dir:>');
    const waiting = post(call('echo', '{}'), { ...headers, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'echo' });
    const held = await screen.nextHeld();
    await screen.live.decide(held.id, { action: 'edit', text: call('find', '{"region":"süd"}') });
    await waiting;
    expect(requests[1]).toMatchObject({
      body: call('find', '{"region":"süd"}'),
      headers: { 'mcp-method': 'tools/call', 'mcp-name': 'find', 'mcp-param-region': '=?base64?c8O8ZA==?=' },
    });
  });

  it('a request can be edited into invalid JSON', async () => {
    const { url, requests } = await answering();
    const { screen, post } = await steerHttp(url.href, 'method:ping dir:>');
    const waiting = post(ping(1));
    await screen.live.decide((await screen.nextHeld()).id, { action: 'edit', text: '{"jsonrpc', confirmed: true });
    await waiting;
    expect(requests.map(({ body }) => body)).toEqual(['{"jsonrpc']);
  });

  it('edits one request of a batch, answers another and drops a third', async () => {
    const { url, requests } = await rawHttpServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(`[${pong(1)}]`);
    });
    const { screen, post } = await steerHttp(url.href, 'method:ping dir:>');
    const waiting = post(`[${ping(1)}, ${ping(2)},${ping(3)} ]`);
    const decisions = [
      { action: 'edit', text: ping(1, ',"params":{}') },
      { action: 'answer', result: '{"own":true}' },
      { action: 'drop' },
    ] as const;
    for (const decision of decisions) await screen.live.decide((await screen.nextHeld()).id, decision);
    expect(await (await waiting).text()).toBe(`[${pong(2, '"own":true')},${pong(1)}]`);
    expect(requests.map(({ body }) => body)).toEqual([`[${ping(1, ',"params":{}')}]`]);
  });
});

describe('an HTTP request that is not forwarded', () => {
  it('a request is answered with the chosen result, as JSON', async () => {
    const { url, requests } = await answering();
    const { proxy, screen, post } = await steerHttp(url.href, 'method:ping dir:>');
    const waiting = post(ping(7));
    const held = await screen.nextHeld();
    await screen.live.decide(held.id, { action: 'answer', result: '{"own":1.0}' });
    const response = await waiting;
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.text()).toBe(pong(7, '"own":1.0'));
    const { trace } = await proxy.stop();
    expect(requests).toEqual([]);
    expect(trace.messages).toMatchObject([
      { id: held.id, payload: JSON.parse(ping(7)) },
      { answers: held.id, payload: { id: 7 }, exchange: 0 },
    ]);
    expect(exchangesOf(trace)).toMatchObject([{ status: 200, answeredBy: 'mcpreel', error: null }]);
  });

  it('a request is answered with an SSE event if the client accepts nothing else', async () => {
    const { url } = await answering();
    const { screen, post } = await steerHttp(url.href, 'method:ping dir:>');
    const waiting = post(ping(7), { Accept: 'text/event-stream' });
    await screen.live.decide((await screen.nextHeld()).id, { action: 'answer', error: '{"code":1,"message":"no"}' });
    const response = await waiting;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toBe(
      'event: message\ndata: {"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no"}}\n\n',
    );
  });

  it('a dropped request gets no response, and a dropped notification gets a 202', async () => {
    const { url, requests } = await answering();
    const { proxy, screen, post, connect } = await steerHttp(url.href, 'dir:>');
    const client = await connect();
    const { host } = new URL(proxy.url);
    const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
    await client.write(`${head}Content-Length: ${ping(1).length}\r\n\r\n${ping(1)}`);
    await screen.live.decide((await screen.nextHeld()).id, { action: 'drop' });
    const reported = post(note('x'));
    await screen.live.decide((await screen.nextHeld()).id, { action: 'drop' });
    const response = await reported;
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(client.isEmpty).toBe(true);
    await proxy.stop();
    expect(await client.rest()).toBe('');
    expect(requests).toEqual([]);
  });
});

describe('HTTP requests in intercept mode', () => {
  it('a body that is not a message is forwarded unchanged', async () => {
    const { url, requests } = await rawHttpServer(({ body }, response) => void response.end(body));
    const { proxy } = await steerHttp(url.href, 'ping');
    const bodies = ['grant_type=refresh', '{"token":"x"}', '[1]', '', '{"jsonrpc":'];
    for (const body of bodies) {
      const response = await fetch(proxy.url, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      expect(await response.text()).toBe(body);
    }
    expect(requests.map(({ body }) => body)).toEqual(bodies);
  });

  it('a message that is too long to hold is forwarded while it is still arriving', async () => {
    const target = await RawServer.open();
    const { proxy, connect } = await steerHttp(target.url, 'ping', ['--max-message', '1k']);
    const client = await connect();
    const body = ping(1, `,"params":{"x":"${'y'.repeat(4000)}"}`);
    const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(proxy.url).host}\r\nContent-Type: application/json\r\n`;
    await client.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 2000)}`);
    const requested = await target.next();
    await requested.until('yyyy');
    await client.write(body.slice(2000));
    await requested.until('"}}');
  });
});
