import { describe, expect, it, onTestFinished } from 'vitest';
import { startConformanceServer } from '../support/conformance-server.ts';
import { expectHttpConversation } from '../support/conversation.ts';
import { type HttpProxy, startProxy } from '../support/http-proxy.ts';
import { startEverything } from '../support/http-servers.ts';
import { notingFetch } from '../support/noting-fetch.ts';
import { Place } from '../support/place.ts';
import type { Json, RecordedMessage } from '../support/recordings.ts';
import { type ConnectedV2, connectV2, connectV2Auto, connectV2Modern } from '../support/sdk-clients.ts';
import { exchangesOf, expectExchanges, header, type RecordedRun } from './exchanges.ts';

const REVISION = '2026-07-28';
const DISCOVER = { method: 'server/discover', id: 'server-discover-probe-1' };

async function startBothEras(): Promise<HttpProxy> {
  const server = await startConformanceServer();
  onTestFinished(async () => void (await server.stop()));
  return startProxy(new Place(), ['--target-url', server.url]);
}

/** Makes a call that is answered, one that needs input, and one that reports progress. */
async function ask({ call }: ConnectedV2): Promise<void> {
  await Promise.all([
    call('test_simple_text', {}),
    call('test_input_required_result_elicitation', {}),
    call('test_tool_with_progress', {}, { onprogress: () => undefined }),
  ]);
}

/** Subscribes to a change, and causes it. */
async function receiveChange({ call, listen, noted }: ConnectedV2): Promise<void> {
  const changes = await listen({ toolsListChanged: true });
  await call('test_trigger_tool_change', {});
  await noted.hears('notifications/tools/list_changed');
  await changes.close();
}

/** Omits the response to the first request, which the SDK does not expose. */
function known(messages: readonly RecordedMessage[]): RecordedMessage[] {
  return messages.filter(({ payload }) => 'method' in payload || payload.id !== DISCOVER.id);
}

/** Expects responses to be paired with requests of the same exchange, for one or several clients. */
function expectPairedByExchange(messages: readonly RecordedMessage[]): void {
  const answers = messages.filter(({ payload }) => !('method' in payload));
  expect(answers.map(({ answers: request }) => request)).toEqual(
    answers.map(({ exchange }) => messages.find((message) => message.exchange === exchange)?.id),
  );
}

/** Expects the headers of each request to match its body. */
function expectModernHeaders(trace: RecordedRun): void {
  for (const { exchange, requestHeaders } of exchangesOf(trace)) {
    const { payload } = trace.messages.find((message) => message.exchange === exchange) as RecordedMessage;
    const { method, id, params } = payload as { method: string; id?: unknown; params: Json };
    expect(header(requestHeaders, 'mcp-protocol-version')).toBe(REVISION);
    // The SDK sends no such header with a notification.
    if (id !== undefined) expect(header(requestHeaders, 'mcp-method')).toBe(method);
    if (method === 'tools/call') expect(header(requestHeaders, 'mcp-name')).toBe(params.name);
  }
}

describe('a client that supports only the newest revision', () => {
  it('records all messages of the client, each response in the exchange of its request', async () => {
    const proxy = await startBothEras();
    const { fetch, exchanges } = notingFetch();
    const connected = await connectV2Modern({ url: proxy.url, transport: 'streamable-http', fetch });
    await ask(connected);
    await receiveChange(connected);
    await connected.leave();
    const { trace } = await proxy.stop();

    expectHttpConversation(known(trace.messages), connected.noted);
    expectExchanges(trace, exchanges);
    expectPairedByExchange(trace.messages);
    expectModernHeaders(trace);
    expect(new Set(trace.messages.map(({ conversation }) => conversation))).toEqual(new Set([undefined]));

    const [asking, answered] = trace.messages.filter(({ payload }) => nameOf(payload).endsWith('_elicitation'));
    const wanting = trace.messages.find(({ answers }) => answers === asking?.id);
    expect(wanting?.payload).toMatchObject({ result: { resultType: 'input_required' } });
    expect(answered?.payload).toMatchObject({ params: { inputResponses: { user_name: { action: 'accept' } } } });
    expect(answered?.payload.id).not.toBe(asking?.payload.id);
    const listening = trace.messages.find(({ payload }) => payload.method === 'subscriptions/listen');
    const received = trace.messages.filter(
      ({ exchange, sse }) => exchange === listening?.exchange && sse !== undefined,
    );
    expect(received.map(({ payload }) => payload.method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ]);
  });

  it('keeps two clients apart that use the same ids at the same time', async () => {
    const proxy = await startBothEras();
    const connect = (): Promise<ConnectedV2> => connectV2Modern({ url: proxy.url, transport: 'streamable-http' });
    const clients = [await connect(), await connect()] as const;
    const [first, second] = clients;
    // The second request starts later and is answered sooner.
    const slow = first.call('test_tool_with_progress', {}, { onprogress: () => undefined });
    await first.noted.hears('notifications/progress');
    await second.call('test_simple_text', {});
    await slow;
    await Promise.all(clients.map(ask));
    await Promise.all(clients.map(({ leave }) => leave()));
    const { trace } = await proxy.stop();

    const ids = trace.messages.filter(({ payload, direction }) => direction === 'in' && 'id' in payload).map(idOf);
    expect(new Set(ids).size).toBe(ids.length / 2);
    expect(known(trace.messages)).toHaveLength(
      clients.flatMap(({ noted }) => [...noted.sent, ...noted.received]).length,
    );
    expectPairedByExchange(trace.messages);
    expectModernHeaders(trace);
  });
});

describe('a client that first asks which revisions the server supports', () => {
  it('the client continues with the newest revision if the server answers', async () => {
    const proxy = await startBothEras();
    const connected = await connectV2Auto({ url: proxy.url, transport: 'streamable-http' });
    await connected.call('test_simple_text', {});
    await connected.leave();
    const { trace } = await proxy.stop();

    const [requested, answered, called, result, ...more] = trace.messages;
    expect(requested?.payload).toMatchObject(DISCOVER);
    expect(answered).toMatchObject({ answers: requested?.id, payload: { result: { supportedVersions: [REVISION] } } });
    expect(called?.payload).toMatchObject({ method: 'tools/call' });
    expect(result).toMatchObject({ answers: called?.id });
    expect(more).toEqual([]);
    expectModernHeaders(trace);
  });

  it('the client falls back to a handshake, in its own conversation, if the server refuses', async () => {
    const proxy = await startProxy(new Place(), ['--target-url', await startEverything('streamable-http')]);
    const { fetch, answered } = notingFetch();
    const url = { url: proxy.url, transport: 'streamable-http', fetch } as const;
    const connected = await connectV2Auto({ ...url, roots: false });
    await answered('GET');
    await connected.call('echo', { message: 'hello' });
    await connected.leave();
    const { trace } = await proxy.stop();

    const [requested, refused, ...talked] = trace.messages;
    expect([requested, refused]).toMatchObject([{ payload: DISCOVER }, { payload: { error: { code: -32000 } } }]);
    expect([requested?.conversation, refused?.conversation]).toEqual([undefined, undefined]);
    expect(new Set(talked.map(({ conversation }) => conversation))).toEqual(new Set([1]));
    expect(talked[0]?.payload).toMatchObject({ method: 'initialize', id: 0 });
  });

  it('a newer client shares a server of both eras with a client of an older revision', async () => {
    const proxy = await startBothEras();
    const way = { url: proxy.url, transport: 'streamable-http' } as const;
    const [older, newer] = await Promise.all([connectV2({ ...way, resumes: false }), connectV2Modern(way)]);
    await Promise.all([older.call('test_simple_text', {}), ask(newer)]);
    await Promise.all([older.leave(), newer.leave()]);
    const { trace } = await proxy.stop();

    const [its, theirs] = [1, undefined].map((n) => trace.messages.filter(({ conversation }) => conversation === n));
    expectHttpConversation(its ?? [], older.noted);
    expectHttpConversation(known(theirs ?? []), newer.noted);
  });
});

function nameOf({ params }: Json): string {
  return String((params as Json | undefined)?.name);
}

function idOf({ payload }: RecordedMessage): unknown {
  return payload.id;
}
