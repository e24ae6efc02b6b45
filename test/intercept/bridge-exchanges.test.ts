import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { modernHeaders } from '../../src/protocol/modern-headers.ts';
import { type HttpProxy, startProxy } from '../support/http-proxy.ts';
import { initialize, initialized, modernRequest, request } from '../support/link-witness.ts';
import { Place } from '../support/place.ts';
import { type Json, jsonLines } from '../support/recordings.ts';
import { connectV1, connectV2 } from '../support/sdk-clients.ts';
import { Screen } from './screen.ts';
import { sentBy } from './steered.ts';
import { type NotingServer, startServer } from './wire.ts';

const RULES = `rules:
  - name: another id
    match: '"renamed"'
    set: { $.id: 77 }
  - name: no further
    match: '"dropped" dir:>'
    drop: true
`;

let server: NotingServer;
beforeAll(async () => {
  server = await startServer('stdio');
});
afterAll(() => server.stop());

/** Starts a listener in front of a stdio server. */
async function listening(...flags: string[]): Promise<{ place: Place; proxy: HttpProxy; lines: () => Json[] }> {
  const place = new Place();
  place.write('rules.yaml', RULES);
  const proxy = await startProxy(place, ['--listen-transport', 'streamable-http', ...flags, ...server.flags]);
  return { place, proxy, lines: () => jsonLines(place.read('trace.jsonl')) };
}

interface Speaker {
  readonly post: (body: string, signal?: AbortSignal) => Promise<Response>;
  readonly call: (id: number, text: string) => string;
}

/** A client that sends one request after the other, of the older era or the newest. */
async function speaker({ url }: HttpProxy, isModern: boolean): Promise<Speaker> {
  let session: Record<string, string> = {};
  const post = (body: string, signal: AbortSignal | null = null): Promise<Response> => {
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(isModern ? Object.fromEntries(modernHeaders(body)) : session),
    };
    return fetch(url, { method: 'POST', body, headers, signal });
  };
  const ask = isModern ? modernRequest : request;
  if (!isModern) {
    const response = await post(initialize(0));
    session = { 'Mcp-Session-Id': response.headers.get('mcp-session-id') ?? '' };
    await response.text();
    await (await post(initialized)).text();
  }
  return { post, call: (id, text) => ask(id, 'tools/call', { name: 'echo', arguments: { text } }) };
}

describe.each([
  ['with a handshake', false],
  ['of the newest revision', true],
])('a client over streamable-http %s', (_, isModern) => {
  it('the client receives the response to a request whose id was edited', async () => {
    const { proxy, lines } = await listening('--rules', 'rules.yaml');
    const { post, call } = await speaker(proxy, isModern);
    const answer = (await (await post(call(1, 'renamed'))).json()) as Json;
    expect(answer).toMatchObject({ id: 77, result: { content: [{ text: 'renamed' }] } });
    expect((await (await post(call(2, 'as it was'))).json()) as Json).toMatchObject({ id: 2 });
    await proxy.stop();
    const renamed = lines().find(({ original }) => original !== undefined);
    expect(renamed).toMatchObject({ modified: true, raw: { id: 77 }, original: { id: 1 } });
    expect(lines().find(({ corr }) => corr === renamed?.id)).toMatchObject({ raw: { id: 77 } });
  });

  it('a client waits for a dropped request until it disconnects, and others are still answered', async () => {
    const { proxy, lines } = await listening('--rules', 'rules.yaml');
    const { post, call } = await speaker(proxy, isModern);
    const leaving = new AbortController();
    const dropped = post(call(1, 'dropped'), leaving.signal);
    expect((await (await post(call(2, 'heard'))).json()) as Json).toMatchObject({ id: 2 });
    await vi.waitFor(() => expect(lines().find((line) => line.dropped)).toBeDefined());
    leaving.abort();
    await expect(dropped).rejects.toThrow('abort');
    // If mcpreel stops before it notices, it records its own stop instead.
    const left = await vi.waitFor(() => {
      const line = lines().find(({ raw }) => (raw as Json | undefined)?.error === 'the client left');
      expect(line).toBeDefined();
      return line?.raw as Json;
    });
    await proxy.stop();
    const stopped = lines().find((line) => line.dropped);
    expect(stopped).toMatchObject({ dir: 'in', raw: { id: 1 } });
    expect(stopped?.http).toEqual({ exchange: left.exchange });
    expect(server.notes.order('dropped')).toEqual([]);
  });
});

it('drops a held request when a client of the newest revision closes its exchange', async () => {
  const { place, proxy } = await listening();
  const { post, call } = await speaker(proxy, true);
  await (await post(call(0, 'there'))).text();
  const screen = await Screen.open(place);
  await screen.hold('tool:echo dir:>');
  const leaving = new AbortController();
  const left = post(call(1, 'withdrawn'), leaving.signal);
  const held = await screen.nextHeld();
  leaving.abort();
  await expect(left).rejects.toThrow('abort');
  expect(await screen.releaseOf(held)).toMatchObject({ by: 'end', decision: { action: 'drop' } });
  expect(await screen.recordedMessage(held)).toMatchObject({ dropped: true, raw: { id: 1 } });
  expect(server.notes.order('withdrawn')).toEqual([]);
});

it('applies rules to each message of a batch, and returns the responses as a batch', async () => {
  const { proxy, lines } = await listening('--rules', 'rules.yaml');
  const { post, call } = await speaker(proxy, false);
  const response = await post(`[${call(1, 'renamed')},${call(2, 'as it was')}]`);
  const answers = (await response.json()) as Json[];
  expect(answers.map(({ id }) => id).toSorted()).toEqual([2, 77]);
  await proxy.stop();
  const batch = lines().filter((line) => line.batch !== undefined);
  expect(batch.filter(({ dir }) => dir === 'in')).toMatchObject([
    { modified: true, raw: { id: 77 }, batch: { index: 0, of: 2 } },
    { raw: { id: 2 }, batch: { index: 1, of: 2 } },
  ]);
  expect(batch.filter(({ dir }) => dir === 'out')).toHaveLength(2);
});

it('injects into the selected conversation, and hides the response to an injected request', async () => {
  const { place, proxy } = await listening();
  const way = { url: proxy.url, transport: 'streamable-http' } as const;
  const clients = [await connectV1(way), await connectV2(way)];
  for (const { leave } of clients) onTestFinished(() => leave().catch(() => undefined));
  const screen = await Screen.open(place);
  const { live } = screen;
  const notice = JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: 'x' },
  });
  await expect(live.inject({ direction: 'server_to_client', text: notice })).rejects.toThrow(
    'The session has several conversations: ',
  );
  await live.inject({ direction: 'server_to_client', text: notice, conversation: 2 });
  await clients[1]?.noted.hears('notifications/message');
  const requested = request('ours', 'tools/call', { name: 'echo', arguments: { text: 'injected' } });
  await live.inject({ direction: 'client_to_server', text: requested, conversation: 1 });
  const answer = await screen.recorded(({ raw, dir }) => dir === 'out' && (raw as Json).id === 'ours');
  expect(answer).toMatchObject({ conv: 1, dropped: true, corr: expect.any(String) as string });
  expect(await screen.recorded(({ id }) => id === answer.corr)).toMatchObject({ injected: true, dir: 'in', conv: 1 });
  expect(sentBy(await clients[0]?.call('echo', { text: 'as ever' }))).toBe('as ever');
  expect(JSON.stringify(clients[0]?.noted.received)).not.toContain('injected');
});

it('a closed stdin does not end the session before the last held message is released and answered', async () => {
  const http = await startServer('streamable-http');
  onTestFinished(() => http.stop());
  const place = new Place();
  const flags = ['--listen-transport', 'stdio', '--trace-file', 'trace.jsonl', '--hold', 'tool:echo'];
  const call = request(1, 'tools/call', { name: 'echo', arguments: { text: 'said last' } });
  const outcome = await place.run(['proxy', 'start', ...flags, '--hold-timeout', '0.3', ...http.flags], {
    input: `${[initialize(0), initialized, call].join('\n')}\n`,
  });
  expect(outcome.code).toBe(0);
  expect(jsonLines(outcome.stdout).map(({ id }) => id)).toEqual([0, 1]);
  const actions = jsonLines(place.read('trace.jsonl')).map(({ raw }) => raw as Json | undefined);
  expect(actions.filter((raw) => raw?.action === 'release')).toMatchObject([
    { as: 'forward', by: 'timeout' },
    { as: 'forward', by: 'timeout' },
  ]);
});
