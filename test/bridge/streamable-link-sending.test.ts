import { describe, expect, it } from 'vitest';
import { openStreamableLink } from '../../src/transport/outbound/streamable-link.ts';
import { linkTo } from '../support/http-links.ts';
import { initialize, modernRequest, notification, request } from '../support/link-witness.ts';
import { type RawRequest, rawHttpServer } from '../support/raw-http-server.ts';
import { idOf, JSON_TYPE, result, SSE_TYPE, sessionServer } from './streamable-server.ts';

/** A server that answers when the test tells it to. */
async function patientServer(): Promise<{
  url: URL;
  requests: readonly RawRequest[];
  answer: (body: string) => Promise<() => void>;
}> {
  const answers = new Map<string, () => void>();
  const server = await rawHttpServer((requested, response) => {
    const id = requested.body === '' ? undefined : idOf(requested);
    answers.set(requested.body, () => {
      if (id === undefined) response.writeHead(202).end();
      else response.writeHead(200, JSON_TYPE).end(result(id));
    });
  });
  const answer = async (body: string): Promise<() => void> => {
    await expect.poll(() => answers.has(body), { interval: 2, timeout: 20_000 }).toBe(true);
    return answers.get(body) ?? (() => undefined);
  };
  return { ...server, answer };
}

describe('sending messages', () => {
  it('sends the headers of the era, and the added ones', async () => {
    const { url, requests } = await sessionServer((requested, response) => {
      response.writeHead(200, JSON_TYPE).end(result(idOf(requested)));
    });
    const headers = [
      ['Authorization', 'Bearer secret'],
      ['accept', 'application/json'],
    ] as const;
    const { link, witness } = linkTo(openStreamableLink, url, { headers });
    link.send(initialize(0));
    link.send(request(1, 'tools/list'));
    link.send(modernRequest(2, 'tools/call', { name: 'a b', arguments: {} }));
    await Promise.all([witness.answerTo(1), witness.answerTo(2)]);
    const added = { authorization: 'Bearer secret', accept: 'application/json', 'content-type': 'application/json' };
    const [first, second, third] = requests.map((requested) => requested.headers);
    expect(first).toMatchObject({ ...added, host: url.host });
    expect(first).not.toHaveProperty('mcp-session-id');
    expect(first).not.toHaveProperty('mcp-protocol-version');
    expect(second).toMatchObject({
      ...added,
      'mcp-session-id': 'the-session',
      'mcp-protocol-version': '2025-11-25',
    });
    expect(third).toMatchObject({
      ...added,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'a b',
    });
    expect(third).not.toHaveProperty('mcp-session-id');
    const { requestHeaders } = await witness.exchange(({ exchange }) => exchange === 2);
    expect(requestHeaders).toContain('Mcp-Session-Id');
    expect(JSON.stringify(witness.exchanges)).not.toContain('secret');
  });

  it('waits for the handshake and for notifications to be accepted, but not for responses', async () => {
    const { url, requests, answer } = await patientServer();
    const { link, witness } = linkTo(openStreamableLink, url);
    const a = notification('notifications/a');
    const b = notification('notifications/b');
    const texts = [request(0, 'initialize'), a, b, request(1, 'first'), request(2, 'second')];
    for (const text of texts) link.send(text);
    for (const text of texts.slice(0, 3)) {
      const answering = await answer(text);
      expect(requests.at(-1)?.body).toBe(text);
      answering();
    }
    const first = await answer(request(1, 'first'));
    (await answer(request(2, 'second')))();
    await witness.answerTo(2);
    expect(witness.messages).toHaveLength(2);
    first();
    await witness.answerTo(1);
  });

  it('reports when too much is queued, and when it has drained', async () => {
    const { url, answer } = await patientServer();
    const { link, witness } = linkTo(openStreamableLink, url);
    const long = notification('long', { data: 'x'.repeat(65 << 20) });
    expect(link.send(request(0, 'initialize'))).toBe(true);
    expect(link.send(long)).toBe(false);
    expect(link.send(request(1, 'c'))).toBe(false);
    expect((await witness.answerTo(1)).text).toContain('not sent');
    expect(witness.drains).toBe(0);
    (await answer(request(0, 'initialize')))();
    (await answer(long))();
    await witness.until(() => witness.drains || undefined);
    expect(link.send(request(2, 'd'))).toBe(true);
  });
});

describe('an abandoned call', () => {
  async function streamingServer(): Promise<{ url: URL; closed: Promise<void>; requests: readonly RawRequest[] }> {
    let close: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const server = await rawHttpServer((requested, response) => {
      if (requested.method !== 'POST' || !requested.body.includes('"id":1')) {
        response.writeHead(202).end();
        return;
      }
      response.writeHead(200, SSE_TYPE).write('data: {"jsonrpc":"2.0","method":"begun"}\n\n');
      response.once('close', close);
    });
    return { ...server, closed };
  }

  const ways = ['given up', 'cancelled', 'cancelled without a revision'];
  it.each(ways)('a call is %s by closing its stream, in the modern era', async (way) => {
    const { url, closed, requests } = await streamingServer();
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(modernRequest(1, 'tools/call', { name: 'a' }));
    await witness.sent('begun');
    const { params } = JSON.parse(way === 'cancelled' ? modernRequest(0, '') : '{"params":{}}') as { params: object };
    if (way === 'given up') link.abandon('1');
    else link.send(notification('notifications/cancelled', { ...params, requestId: 1 }));
    await closed;
    expect(await witness.exchange(() => true)).toMatchObject({ status: 200, error: undefined });
    await link.close();
    expect(requests).toHaveLength(1);
    expect(witness.messages).toHaveLength(1);
  });

  it('keeps the stream open in the legacy era, and sends the cancellation to the server', async () => {
    const { url, requests } = await sessionServer((_, response) => {
      response.writeHead(200, SSE_TYPE).write('data: {"jsonrpc":"2.0","method":"begun"}\n\n');
    });
    const { link, witness } = linkTo(openStreamableLink, url);
    link.send(initialize(0));
    link.send(request(1, 'tools/call', { name: 'a' }));
    await witness.sent('begun');
    link.abandon('1');
    link.send(notification('notifications/cancelled', { requestId: 1 }));
    await witness.exchange(({ status }) => status === 202);
    expect(requests.at(-1)?.body).toContain('notifications/cancelled');
    expect(witness.exchanges.map(({ status }) => status)).toEqual([200, 202]);
  });
});
