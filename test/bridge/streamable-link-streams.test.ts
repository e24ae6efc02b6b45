import { describe, expect, it } from 'vitest';
import { openStreamableLink } from '../../src/transport/outbound/streamable-link.ts';
import { linkTo } from '../support/http-links.ts';
import { initialize, initialized, modernRequest, request } from '../support/link-witness.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { idOf, JSON_TYPE, result, SSE_TYPE, sessionServer } from './streamable-server.ts';

it('reads a stream that arrives byte by byte', async () => {
  const message = '{"jsonrpc":"2.0","method":"é","params":{"a":  1.0}}';
  const { url } = await rawHttpServer(async (requested, response) => {
    response.writeHead(200, SSE_TYPE).flushHeaders();
    const stream = `\uFEFF: hello\r\nid: 7\r\ndata: ${message}\r\n\r\ndata: ${result(idOf(requested))}\n\n`;
    for (const byte of Buffer.from(stream)) await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
    response.end();
  });
  const { link, witness } = linkTo(openStreamableLink, url);
  link.send(request(1, 'a'));
  await witness.answerTo(1);
  expect(witness.messages[0]).toEqual({
    text: message,
    origin: { requestId: '1', exchange: 1, sse: '{"event":"message","id":"7"}' },
  });
  expect(await witness.exchange(() => true)).toMatchObject({ error: undefined });
});

describe('a stream that was closed before its response', () => {
  it('a stream is resumed where it was left if the server asks for that', async () => {
    const times: number[] = [];
    const { url, requests } = await sessionServer((requested, response) => {
      times.push(performance.now());
      response.writeHead(200, SSE_TYPE);
      if (requested.method === 'POST') response.end('id: a-1\nretry: 120\ndata:\n\n');
      else if (requested.headers['last-event-id'] === 'a-1') {
        response.end('id: a-ü\ndata: {"jsonrpc":"2.0","method":"half"}\n\n');
      } else response.write(`id: a-3\ndata: ${result(1)}\n\n`);
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(request(1, 'slow'));
    const answer = await witness.answerTo(1);
    expect(answer.origin).toEqual({ requestId: '1', exchange: 4, sse: '{"event":"message","id":"a-3"}' });
    const resumed = requests.filter(({ method }) => method === 'GET').map(({ headers }) => headers);
    expect(resumed).toMatchObject([
      { 'last-event-id': 'a-1', 'mcp-session-id': 'the-session', accept: 'text/event-stream' },
      { 'last-event-id': Buffer.from('a-ü').toString('latin1') },
    ]);
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThan(110);
    // The last stream stayed open, but is not read any more.
    expect(await witness.exchange(({ exchange }) => exchange === 4)).toMatchObject({ error: undefined });
    expect(witness.messages).toHaveLength(3);
  });

  it('a stream is given up if the server does not have it', async () => {
    const { url } = await sessionServer((requested, response) => {
      if (requested.method === 'POST') response.writeHead(200, SSE_TYPE).end('id: a-1\nretry: 1\ndata:\n\n');
      else response.writeHead(400).end();
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(request(1, 'slow'));
    expect((await witness.answerTo(1)).text).toContain('HTTP 400 Bad Request');
  });

  it('a stream is retried while the server is busy, and given up in the end', async () => {
    const { url, requests } = await sessionServer((requested, response) => {
      if (requested.method === 'POST') response.writeHead(200, SSE_TYPE).end('id: a-1\nretry: 1\ndata:\n\n');
      else response.writeHead(503).end();
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(request(1, 'slow'));
    expect((await witness.answerTo(1)).text).toContain('HTTP 503 Service Unavailable');
    expect(requests.filter(({ method }) => method === 'GET')).toHaveLength(6);
  });

  it('a closed stream is not resumed in the modern era', async () => {
    const { url } = await rawHttpServer((_, response) => response.writeHead(200, SSE_TYPE).end('id: a-1\ndata:\n\n'));
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(modernRequest(1, 'tools/list'));
    expect((await witness.answerTo(1)).text).toContain('a response that ended early');
  });
});

describe('the standalone stream of a server', () => {
  it('opens the standalone stream after the handshake, and resumes it where it was left', async () => {
    let streams = 0;
    const { url, requests } = await rawHttpServer((requested, response) => {
      if (requested.body.includes('"initialize"')) response.writeHead(200, JSON_TYPE).end(result(0));
      else if (requested.method === 'POST') response.writeHead(202).end();
      else {
        const n = ++streams;
        response.writeHead(n === 2 ? 503 : 200, SSE_TYPE);
        const event = `id: s-${n}\nretry: 5\ndata: {"jsonrpc":"2.0","method":"m${n}"}\n\n`;
        if (n === 1) response.end(event);
        else if (n === 2) response.end();
        else response.write(event);
      }
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(initialized);
    expect((await witness.sent('m1')).origin).toEqual({ exchange: 3, sse: '{"event":"message","id":"s-1"}' });
    await witness.sent('m3');
    expect(requests.slice(2).map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 's-1', 's-1']);
    await link.close();
    expect(witness.exchanges.at(-1)).toMatchObject({ method: 'GET', error: undefined });
    expect(witness.ends).toEqual([undefined]);
  });

  it('does not request the standalone stream again if the server has none', async () => {
    const { url, requests } = await sessionServer((_, response) => response.end());
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(initialized);
    expect(await witness.exchange(({ method }) => method === 'GET')).toMatchObject({ status: 405, error: undefined });
    await link.close();
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'DELETE']);
    expect(requests.at(-1)?.headers).toMatchObject({ 'mcp-session-id': 'the-session' });
  });

  it('reports a message that is too long instead of buffering it', async () => {
    const long = JSON.stringify({ jsonrpc: '2.0', method: 'long', params: { data: 'x'.repeat(1000) } });
    const { url } = await rawHttpServer((requested, response) => {
      if (requested.body.includes('"initialize"')) response.writeHead(200, JSON_TYPE).end(result(0));
      else if (requested.method === 'POST') response.writeHead(202).end();
      else response.writeHead(200, SSE_TYPE).write(`data: ${long}\n\ndata: {"jsonrpc":"2.0","method":"short"}\n\n`);
    });
    const { link, witness } = linkTo(openStreamableLink, url, { maxMessageBytes: 500 });
    link.send(initialize(0));
    link.send(initialized);
    await witness.sent('short');
    expect(witness.tooLong).toEqual([{ size: long.length }]);
  });
});

it('reads nothing while it is paused', async () => {
  const event = `data: {"jsonrpc":"2.0","method":"m","params":{"data":"${'x'.repeat(1 << 16)}"}}\n\n`;
  const { url } = await rawHttpServer((_, response) => {
    response.writeHead(200, SSE_TYPE);
    const say = (): void => {
      while (response.write(event));
      response.once('drain', say);
    };
    say();
  });
  const { link, witness } = linkTo(openStreamableLink, url);
  link.send(request(1, 'a'));
  await witness.until(() => witness.messages[0]);
  link.pause();
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
  const { length } = witness.messages;
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  expect(witness.messages).toHaveLength(length);
  link.resume();
  await witness.until(() => witness.messages[length]);
});
