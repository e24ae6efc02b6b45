import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { expectHttpConversation } from '../support/conversation.ts';
import { startProxy } from '../support/http-proxy.ts';
import { notingFetch } from '../support/noting-fetch.ts';
import { Place } from '../support/place.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { eventsOf, type Json } from '../support/recordings.ts';
import { connectV1, connectV2 } from '../support/sdk-clients.ts';
import { expectExchanges } from './exchanges.ts';

/** A server of the older transport that sends its endpoint as an absolute URL, the same for all clients. */
async function startAbsolute(): Promise<string> {
  const sent = new EventEmitter();
  const { url } = await rawHttpServer(({ method, body }, response) => {
    if (method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${url.origin}/post?to=me\n\n`);
      sent.on('answer', (text: string) => response.write(`event: message\ndata: ${text}\n\n`));
      return;
    }
    response.writeHead(202).end('Accepted');
    const { id, method: requested } = JSON.parse(body) as Json;
    const capabilities = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 's', version: '1' } };
    const result = requested === 'initialize' ? capabilities : {};
    if (id !== undefined) sent.emit('answer', JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  return url.href;
}

it.each([
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
] as const)(
  'a client of %s that receives the server’s absolute address still connects through mcpreel',
  async (_, connect) => {
    const target = await startAbsolute();
    const proxy = await startProxy(new Place(), ['--transport', 'sse', '--target-url', target]);
    const { fetch, exchanges } = notingFetch();
    const connected = await connect({ url: proxy.url, transport: 'sse', fetch });
    await connected.request('ping', {});
    await connected.leave();
    const { trace } = await proxy.stop();

    expect(trace.messages).toHaveLength(5);
    expectHttpConversation(trace.messages, connected.noted);
    expectExchanges(trace, exchanges);
    expect(new Set(trace.messages.map(({ conversation }) => conversation))).toEqual(new Set([1]));
    // The recording holds what the server sent.
    const data = `${new URL(target).origin}/post?to=me`;
    expect(eventsOf(trace, 'http.event')).toMatchObject([{ exchange: 0, event: 'endpoint', data }]);
  },
);
