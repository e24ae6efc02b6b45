import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { expectConversation, isResponse } from '../support/conversation.ts';
import { Place } from '../support/place.ts';
import { eventsOf, parseTrace, type RecordedMessage, readSessionFile } from '../support/recordings.ts';
import { type Connect, type Connected, connectV1, connectV2, connectV2Auto } from '../support/sdk-clients.ts';
import { bothErasServer } from '../support/servers.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const filesystem = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));
const memory = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));

const clients = [
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
] as const;

/** Lets a client talk to a server through mcpreel, and expects both recordings to match the client's messages. */
async function record(
  connect: Connect,
  offer: { place: Place; flags?: readonly string[]; server: readonly string[]; rootUri?: string },
  converse: (connected: Connected) => Promise<void>,
): Promise<RecordedMessage[]> {
  const { place, flags = [], server } = offer;
  const connected = await connect({ ...offer, args: ['--session-file', 'session.json', ...flags, '--', ...server] });
  try {
    await converse(connected);
  } finally {
    await connected.client.close();
  }
  const trace = parseTrace(place.trace());
  expectConversation(trace.messages, connected.noted);
  expect(trace.end).toBeDefined();
  const { session, messages } = readSessionFile(place.path('session.json'));
  expect(messages).toEqual(trace.messages);
  expect(session).toMatchObject({ id: trace.meta.id, ended_at: expect.any(String) });
  expect(eventsOf(trace, 'stdio.stderr').map((raw) => (raw as { text: string }).text)).toEqual(
    connected.stderr().split('\n').slice(0, -1),
  );
  expect(eventsOf(trace, 'mcpreel.gap')).toEqual([]);
  return messages;
}

describe.each(clients)('a client of %s', (_, connect) => {
  it('works with files through mcpreel, and every message is recorded', async () => {
    const place = new Place();
    mkdirSync(place.path('files'));
    place.write('files/poem.txt', 'Zoë ✓\r\n\u2028"quoted"\n');
    const big = `${'0123456789abcdé\n'.repeat(3e6 / 17)}`;
    const server = [process.execPath, filesystem, place.path('files')];
    const rootUri = pathToFileURL(place.path('files')).href;
    const messages = await record(connect, { place, server, rootUri }, async ({ call }) => {
      expect(text(await call('list_directory', { path: place.path('files') }))).toBe('[FILE] poem.txt');
      expect(text(await call('read_text_file', { path: place.path('files/poem.txt') }))).toContain('\u2028"quoted"');
      await call('write_file', { path: place.path('files/big.txt'), content: big });
      expect(readFileSync(place.path('files/big.txt'), 'utf8')).toBe(big);
      expect(text(await call('read_text_file', { path: place.path('files/big.txt') }))).toBe(big);
      expect(await call('read_text_file', { path: '/etc/passwd' })).toMatchObject({ isError: true });
    });
    // The server sent roots/list with an id that the client also used for a request.
    const requested = messages.find(({ payload }) => payload.method === 'roots/list');
    expect(requested?.direction).toBe('out');
    const reported = messages.find((message) => isResponse(message) && message.direction === 'in');
    expect(reported).toMatchObject({ answers: requested?.id, payload: { result: { roots: [{ uri: rootUri }] } } });
  });

  it('builds a graph through mcpreel, and every message is recorded', async () => {
    const place = new Place();
    const flags = ['--env', `MEMORY_FILE_PATH=${place.path('memory.jsonl')}`];
    const server = [process.execPath, memory];
    const entities = ['Ada', 'Zoë'].map((name) => ({ name, entityType: 'person', observations: [`is ${name}`] }));
    const relations = [{ from: 'Ada', to: 'Zoë', relationType: 'knows' }];
    await record(connect, { place, flags, server }, async ({ client, call }) => {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read_graph');
      await call('create_entities', { entities });
      await call('create_relations', { relations });
      expect(await call('read_graph', {})).toMatchObject({ structuredContent: { entities, relations } });
    });
  });
});

describe('a client of SDK v2 that first asks which revisions the server supports', () => {
  const discover = { method: 'server/discover', id: 'server-discover-probe-1' };

  /** The traces of the two processes that the client started: one for discovery, one for the session. */
  async function recordBoth(
    server: readonly string[],
    converse: (connected: Connected) => Promise<unknown>,
  ): Promise<{ question: ReturnType<typeof parseTrace>; talk: ReturnType<typeof parseTrace> }> {
    const place = new Place();
    const connected = await connectV2Auto({ place, args: ['--session-file', 'session.json', '--', ...server] });
    try {
      await converse(connected);
    } finally {
      await connected.client.close();
    }
    expect(place.traces()).toHaveLength(2);
    const traces = place.traces().map((name) => parseTrace(place.read(name)));
    const isQuestion = (trace: (typeof traces)[number]): boolean =>
      trace.messages[0]?.payload.method === discover.method;
    const [question, talk] = [traces.find(isQuestion), traces.find((trace) => !isQuestion(trace))];
    if (question === undefined || talk === undefined) throw new Error('Not a question and a conversation');
    expectConversation(talk.messages, connected.noted);
    // The session file holds the second process's session.
    expect(readSessionFile(place.path('session.json')).messages).toEqual(talk.messages);
    return { question, talk };
  }

  it('records both processes if the server supports the newest revision', async () => {
    const { question, talk } = await recordBoth(bothErasServer, ({ call }) => call('echo', { text: 'hello' }));
    const [requested, answered, ...more] = question.messages;
    expect(requested?.payload).toMatchObject(discover);
    expect(answered).toMatchObject({
      answers: requested?.id,
      payload: { result: { supportedVersions: ['2026-07-28'] } },
    });
    expect(more).toEqual([]);
    expect(question.end).toMatchObject({ exitCode: expect.any(Number) });
    expect(talk.messages.map(({ payload }) => payload.method)).toEqual(['tools/call', undefined]);
    expect(talk.end).toMatchObject({ exitCode: 0 });
  });

  it('records both processes if the server does not know the discovery method', async () => {
    const server = [process.execPath, everything, 'stdio'];
    // The server sends roots/list at some point; this call makes it do so before the client disconnects.
    const { question, talk } = await recordBoth(server, ({ call }) => call('get-roots-list', {}));
    const [requested, answered, ...more] = question.messages;
    expect(requested?.payload).toMatchObject(discover);
    expect(answered).toMatchObject({ answers: requested?.id, payload: { error: { code: -32601 } } });
    expect(more).toEqual([]);
    expect(question.end).toMatchObject({ exitCode: expect.any(Number) });
    expect(talk.messages[0]?.payload).toMatchObject({ method: 'initialize', id: 0 });
    expect(talk.end).toMatchObject({ exitCode: expect.any(Number) });
  });
});

function text(result: unknown): string | undefined {
  return (result as { content: readonly { text?: string }[] }).content[0]?.text;
}
