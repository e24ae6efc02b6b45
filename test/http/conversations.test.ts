import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { expectCorrelation } from '../support/conversation.ts';
import { startProxy } from '../support/http-proxy.ts';
import { Place } from '../support/place.ts';
import { type RawRequest, rawHttpServer } from '../support/raw-http-server.ts';
import { jsonLines, type RecordedMessage } from '../support/recordings.ts';
import { exchangesOf } from './exchanges.ts';

const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}';
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const pong = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`;

type Answer = (request: RawRequest, response: ServerResponse) => void;
type Headers = Readonly<Record<string, string>>;

/** A client and a server whose messages the test defines. */
async function startTalk(answer: Answer): Promise<{
  place: Place;
  post: (body: string, headers?: Headers) => Promise<{ status: number; text: string }>;
  remove: (headers: Headers) => Promise<void>;
  resume: (headers: Headers) => Promise<string>;
  stop: () => Promise<{ messages: RecordedMessage[]; exchanges: ReturnType<typeof exchangesOf>; text: string }>;
}> {
  const place = new Place();
  const { url } = await rawHttpServer(answer);
  const proxy = await startProxy(place, ['--target-url', url.href]);
  const sent = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  return {
    place,
    async post(body, headers = {}) {
      const response = await fetch(proxy.url, { method: 'POST', body, headers: { ...sent, ...headers } });
      return { status: response.status, text: await response.text() };
    },
    async remove(headers) {
      await (await fetch(proxy.url, { method: 'DELETE', headers })).text();
    },
    async resume(headers) {
      return (await fetch(proxy.url, { headers: { Accept: 'text/event-stream', ...headers } })).text();
    },
    async stop() {
      const { trace } = await proxy.stop();
      return { messages: trace.messages, exchanges: exchangesOf(trace), text: place.read('trace.jsonl') };
    },
  };
}

function json(response: ServerResponse, text: string, headers: Headers = {}, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
}

/** Answers `initialize` with the next of these session ids, and pings while their session is open. */
function withSessions(names: readonly (string | undefined)[]): Answer {
  const left = [...names];
  const open = new Set<string | undefined>();
  return ({ method, body, headers }, response) => {
    const id = headers['mcp-session-id'] as string | undefined;
    if (method === 'DELETE') {
      open.delete(id);
      response.writeHead(200).end();
    } else if (body === INITIALIZE) {
      const name = left.shift();
      open.add(name);
      json(response, pong(0), name === undefined ? {} : { 'Mcp-Session-Id': name });
    } else if (!open.has(id)) {
      json(response, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}', {}, 404);
    } else if (body.includes('"id"')) json(response, pong(JSON.parse(body).id));
    else response.writeHead(202).end();
  };
}

/** The conversation of each message, in order. */
function conversations(messages: readonly RecordedMessage[]): (number | undefined)[] {
  return messages.map(({ conversation }) => conversation);
}

function conversationsOfExchanges(trace: string): unknown[] {
  return jsonLines(trace).flatMap(({ kind, conv }) => (kind === 'http.exchange' ? [conv] : []));
}

describe('a batch', () => {
  const requested = `[${ping(1)}, ${INITIALIZED} ,{"jsonrpc":"2.0","id":"1","method":"ping","params":{"n":1.0}}]`;
  const answers = ['{"jsonrpc":"2.0","id":"1","result":{"n":1.0}}', pong(1)];

  it.each([
    ['as JSON', 'application/json', `[\n${answers.join(',\n')}\n]`],
    ['as an event', 'text/event-stream', `event: message\nid: 7\ndata: [${answers.join(',')}]\n\n`],
  ])('a batch is recorded message by message when it is answered %s', async (_, type, body) => {
    const { post, stop } = await startTalk((__, response) => {
      response.writeHead(200, { 'Content-Type': type }).end(body);
    });
    expect(await post(requested)).toEqual({ status: 200, text: body });
    const { messages, text } = await stop();
    expect(messages.map(({ batch }) => batch)).toEqual([
      { frame: 0, index: 0, of: 3 },
      { frame: 0, index: 1, of: 3 },
      { frame: 0, index: 2, of: 3 },
      { frame: 3, index: 0, of: 2 },
      { frame: 3, index: 1, of: 2 },
    ]);
    expectCorrelation(messages);
    expect(messages.map(({ exchange }) => exchange)).toEqual([0, 0, 0, 0, 0]);
    const sse = type === 'application/json' ? undefined : { event: 'message', id: '7' };
    expect(messages.slice(3).map((message) => message.sse)).toEqual([sse, sse]);
    expect(text).toContain(`"raw":${answers[0]}}\n`);
  });
});

describe('a conversation', () => {
  it('a conversation ends when the server drops its session, and the next handshake starts another', async () => {
    const { post, remove, stop } = await startTalk(withSessions(['one', 'two']));
    const one = { 'Mcp-Session-Id': 'one' };
    await post(INITIALIZE);
    await post(INITIALIZED, one);
    await post(ping(1), one);
    await remove(one);
    expect(await post(ping(2), one)).toMatchObject({ status: 404 });
    await post(INITIALIZE);
    await post(ping(1), { 'Mcp-Session-Id': 'two' });
    const { messages, exchanges } = await stop();
    const refused = messages.findIndex(({ payload }) => 'error' in payload);
    expect(conversations(messages.slice(0, refused + 1))).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(conversations(messages.slice(refused + 1))).toEqual([2, 2, 2, 2]);
    expect(exchanges.map(({ status }) => status)).toEqual([200, 202, 200, 200, 404, 200, 200]);
  });

  it('a retry after a refused handshake stays in the conversation, and the challenge is recorded', async () => {
    const answer = withSessions(['one']);
    const { place, post, stop } = await startTalk((request, response) => {
      const challenge = { 'WWW-Authenticate': 'Bearer resource_metadata="http://127.0.0.1/x", scope="mcp"' };
      if (request.headers.authorization === undefined) response.writeHead(401, challenge).end();
      else answer(request, response);
    });
    expect(await post(INITIALIZE)).toMatchObject({ status: 401 });
    const authorised = { Authorization: 'Bearer not-so-secret' };
    await post(INITIALIZE, authorised);
    await post(ping(1), { ...authorised, 'Mcp-Session-Id': 'one' });
    const { messages } = await stop();
    expect(conversations(messages)).toEqual([1, 1, 1, 1, 1]);
    expect(messages.map(({ answers }) => messages.findIndex(({ id }) => id === answers))).toEqual([-1, -1, 1, -1, 3]);
    await place.run(['export', 'trace.jsonl', '-f', 'streamable-http', '-o', 'transcript.json']);
    const discovered = { visible: true, source_kind: 'www_authenticate', scope_challenge_visible: true };
    for (const file of ['trace.jsonl', 'transcript.json']) {
      expect(await place.run(['import', file, '--out-trace', 'meaning.jsonl'])).toMatchObject({ code: 0 });
      const [start] = jsonLines(place.read('meaning.jsonl'));
      expect(start).toMatchObject({ meta: { mcp: { authorization_discovery: discovered } } });
    }
  });

  it("another client's handshake between a refused one and its retry gets its own conversation", async () => {
    const answer = withSessions(['one', 'two']);
    const { post, stop } = await startTalk((request, response) => {
      if (request.headers.authorization === undefined) response.writeHead(401).end();
      else answer(request, response);
    });
    const authorised = { Authorization: 'Bearer not-so-secret' };
    await post(INITIALIZE);
    expect(await post(INITIALIZE, { ...authorised, 'User-Agent': 'another' })).toMatchObject({ status: 200 });
    expect(await post(INITIALIZE, authorised)).toMatchObject({ status: 200 });
    await post(ping(1), { ...authorised, 'Mcp-Session-Id': 'one' });
    const { messages, text } = await stop();
    expect(conversations(messages)).toEqual([1, 2, 2, 1, 1, 2, 2]);
    expect(conversationsOfExchanges(text)).toEqual([1, 2, 1, 2]);
  });

  it('a retry after a handshake without a response stays in the conversation', async () => {
    const answer = withSessions(['one']);
    let isThere = false;
    const { post, stop } = await startTalk((request, response) => {
      if (isThere) answer(request, response);
      else response.destroy();
    });
    for (let n = 0; n < 2; n++) expect(await post(INITIALIZE)).toMatchObject({ status: 502 });
    isThere = true;
    await post(INITIALIZE);
    const { messages } = await stop();
    expect(conversations(messages)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(messages.map(({ answers }) => messages.findIndex(({ id }) => id === answers))).toEqual([
      -1, 0, -1, 2, -1, 4,
    ]);
  });

  it('a response that is repeated on a resumed stream is not paired with the request again', async () => {
    const event = `id: 1\ndata: ${pong(0)}\n\n`;
    const { post, resume, stop } = await startTalk((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Mcp-Session-Id': 'one' }).end(event);
    });
    await post(INITIALIZE);
    expect(await resume({ 'Mcp-Session-Id': 'one', 'Last-Event-ID': '0' })).toBe(event);
    const { messages } = await stop();
    expect(messages).toMatchObject([
      { exchange: 0, conversation: 1 },
      { exchange: 0, conversation: 1, answers: messages[0]?.id, sse: { event: 'message', id: '1' } },
      { exchange: 1, conversation: 1, payload: JSON.parse(pong(0)), sse: { event: 'message', id: '1' } },
    ]);
    expect(messages[2]?.answers).toBeUndefined();
  });

  it('a session that started before the recording gets its own conversation', async () => {
    const { post, stop } = await startTalk(({ body }, response) => json(response, pong(JSON.parse(body).id)));
    for (const name of ['a', 'b', 'a']) await post(ping(1), { 'Mcp-Session-Id': name });
    expect(conversations((await stop()).messages)).toEqual([1, 1, 2, 2, 1, 1]);
  });

  it('a server without sessions has one conversation, which excludes clients of the newest revision', async () => {
    const { post, stop } = await startTalk(withSessions([undefined]));
    const modern = { 'MCP-Protocol-Version': '2026-07-28' };
    await post(INITIALIZE);
    await post(INITIALIZED, { 'MCP-Protocol-Version': '2025-03-26' });
    await post(ping(1));
    await post(ping(1), { ...modern, 'Mcp-Method': 'ping' });
    await post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}', modern);
    await post(ping(2));
    const { messages } = await stop();
    const newer = [undefined, undefined, undefined];
    expect(conversations(messages)).toEqual([1, 1, 1, 1, 1, ...newer, 1, 1]);
  });

  it('the stream of the only client of a server without sessions is in its conversation', async () => {
    const question = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
    const answer = withSessions([undefined]);
    const { post, resume, stop } = await startTalk((request, response) => {
      if (request.body === pong(7)) response.writeHead(202).end();
      else if (request.method !== 'GET') answer(request, response);
      else response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(`data: ${question}\n\n`);
    });
    await post(INITIALIZE);
    await post(INITIALIZED);
    expect(await resume({})).toContain(question);
    await post(pong(7));
    const { messages, text } = await stop();
    expect(conversations(messages)).toEqual([1, 1, 1, 1, 1]);
    expect(messages[4]?.answers).toBe(messages[3]?.id);
    expect(conversationsOfExchanges(text)).toEqual([1, 1, 1, 1]);
    expectCorrelation(messages);
  });

  it('a conversation contains the error that mcpreel returns when the server disconnects', async () => {
    const answer = withSessions(['one']);
    const { post, stop } = await startTalk((request, response) => {
      if (request.body === ping(7)) response.destroy();
      else answer(request, response);
    });
    await post(INITIALIZE);
    const { status, text } = await post(ping(7), { 'Mcp-Session-Id': 'one' });
    expect({ status, answer: JSON.parse(text) }).toMatchObject({ status: 502, answer: { id: 7, error: {} } });
    const { messages } = await stop();
    expectCorrelation(messages);
    expect(messages.at(-1)).toMatchObject({ conversation: 1, payload: JSON.parse(text) });
  });
});
