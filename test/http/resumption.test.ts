import { expect, it, onTestFinished } from 'vitest';
import { startConformanceServer } from '../support/conformance-server.ts';
import { expectHttpConversation } from '../support/conversation.ts';
import { startProxy } from '../support/http-proxy.ts';
import { notingFetch } from '../support/noting-fetch.ts';
import { Place } from '../support/place.ts';
import { eventsOf } from '../support/recordings.ts';
import { connectV1, connectV2 } from '../support/sdk-clients.ts';
import { exchangesOf, expectExchanges, header } from './exchanges.ts';

it.each([
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
] as const)(
  'a response that a client of %s fetches from another stream is paired with its request',
  async (_, connect) => {
    const server = await startConformanceServer();
    onTestFinished(async () => void (await server.stop()));
    const proxy = await startProxy(new Place(), ['--target-url', server.url]);
    const { fetch, exchanges, answered } = notingFetch();
    const connected = await connect({ url: proxy.url, transport: 'streamable-http', fetch });
    await answered('GET');
    // The server closes the stream of this call before it answers.
    await connected.call('test_reconnection', {});
    await connected.leave();
    const { trace } = await proxy.stop();

    expectHttpConversation(trace.messages, connected.noted);
    expectExchanges(trace, exchanges);
    const called = trace.messages.find(({ payload }) => payload.method === 'tools/call');
    const answer = trace.messages.find(({ answers }) => answers === called?.id);
    expect(answer).toMatchObject({ conversation: 1, payload: { result: { content: [{ type: 'text' }] } } });
    expect(answer?.exchange).not.toBe(called?.exchange);

    const reported = exchangesOf(trace);
    const [asking, fetching] = [called, answer].map((message) =>
      reported.find((of) => of.exchange === message?.exchange),
    );
    expect(asking).toMatchObject({ method: 'POST', status: 200, error: null });
    expect(fetching).toMatchObject({ method: 'GET', status: 200 });
    const priming = eventsOf(trace, 'http.event').filter(
      (raw) => (raw as { exchange: number }).exchange === called?.exchange,
    );
    expect(priming).toEqual([
      { exchange: called?.exchange, event: 'message', id: expect.any(String), retry: 50, size: 0 },
    ]);
    expect(header(fetching?.requestHeaders ?? [], 'last-event-id')).toBe((priming[0] as { id: string }).id);
    expect(trace.events.filter(({ kind }) => kind === 'http.event').map(({ conv }) => conv)).toContain(1);
  },
);
