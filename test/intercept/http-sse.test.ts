import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { Watch } from '../support/watch.ts';
import { note, ping, pong, type SteeredHttp, steerHttp } from './http-steered.ts';

/** A client of the older transport: it listens on one URL and posts to the endpoint that it receives there. */
class OldClient {
  readonly #steered: SteeredHttp;
  readonly #changes = new Watch();
  #received = '';
  #endpoint = '';

  private constructor(steered: SteeredHttp) {
    this.#steered = steered;
  }

  static async connect(steered: SteeredHttp): Promise<OldClient> {
    const client = new OldClient(steered);
    const response = await fetch(steered.proxy.url);
    void client.#read(response).catch(() => undefined);
    const [, endpoint = ''] = await client.hears(/^event: endpoint\ndata: (\S+)\n\n/);
    client.#endpoint = endpoint;
    return client;
  }

  get endpoint(): string {
    return this.#endpoint;
  }

  hears(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#changes.until(() => pattern.exec(this.#received) ?? undefined);
  }

  /** Posts a body and returns the status of the response. */
  async say(body: string): Promise<number> {
    const url = new URL(this.#endpoint, this.#steered.proxy.url);
    const response = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    await response.text();
    return response.status;
  }

  async #read(response: Response): Promise<void> {
    for await (const chunk of response.body ?? []) {
      this.#received += Buffer.from(chunk).toString();
      this.#changes.changed();
    }
  }
}

async function openOldServer(): Promise<{ url: string; sent: readonly string[] }> {
  let stream: ServerResponse | undefined;
  const sent: string[] = [];
  const { url } = await rawHttpServer(({ method, body }, response) => {
    if (method === 'GET') {
      stream = response;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${url.origin}/messages?session=1\n\n`);
      return;
    }
    sent.push(body);
    response.writeHead(202).end('Accepted');
    stream?.write(`event: message\ndata: ${pong(JSON.parse(body).id)}\n\n`);
  });
  return { url: url.href, sent };
}

async function steerOld(filter: string): Promise<{ steered: SteeredHttp; client: OldClient; said: readonly string[] }> {
  const { url, sent } = await openOldServer();
  const steered = await steerHttp(url, filter, ['--transport', 'sse']);
  return { steered, client: await OldClient.connect(steered), said: sent };
}

describe('intercepting over HTTP+SSE', () => {
  it('the endpoint event is not held, and is still rewritten to mcpreel', async () => {
    const { steered, client } = await steerOld('dir:<');
    expect(new URL(client.endpoint).origin).toBe(new URL(steered.proxy.url).origin);
    await client.say(ping(1));
    const held = await steered.screen.nextHeld();
    expect(held).toMatchObject({ text: pong(1), conversation: 1, exchange: 0 });
    await steered.screen.live.decide(held.id, { action: 'edit', text: pong(1, '"a":1') });
    await client.hears(/"a":1/);
  });

  it('a custom answer is sent on the stream, and the request gets a 202', async () => {
    const { steered, client, said: sent } = await steerOld('dir:>');
    const status = client.say(ping(5));
    const held = await steered.screen.nextHeld();
    await steered.screen.live.decide(held.id, { action: 'answer', result: '{"own":1}' });
    expect(await status).toBe(202);
    await client.hears(/event: message\ndata: \{"jsonrpc":"2.0","id":5,"result":\{"own":1\}\}\n\n/);
    expect(sent).toEqual([]);
    const { trace } = await steered.proxy.stop();
    expect(trace.messages).toMatchObject([
      { id: held.id, conversation: 1, exchange: 1 },
      { answers: held.id, conversation: 1, exchange: 0, sse: { event: 'message' } },
    ]);
  });

  it('a dropped request gets a 202 and no response', async () => {
    const { steered, client, said: sent } = await steerOld('dir:>');
    const status = client.say(ping(5));
    await steered.screen.live.decide((await steered.screen.nextHeld()).id, { action: 'drop' });
    expect(await status).toBe(202);
    expect(sent).toEqual([]);
  });

  it('injected messages reach both sides in the only conversation', async () => {
    const { steered, client, said: sent } = await steerOld('nothing');
    await client.say(ping(1));
    await client.hears(/"id":1/);
    await steered.screen.live.inject({ direction: 'client_to_server', text: ping(2) });
    await client.hears(/"id":2/);
    await steered.screen.live.inject({ direction: 'server_to_client', text: note('own') });
    await client.hears(/notifications\/own/);
    expect(sent).toEqual([ping(1), ping(2)]);
  });
});
