import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inLongRuns } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { jsonLines } from '../support/recordings.ts';
import { type ConnectedV2, connectV1, connectV2, connectV2Auto, connectV2Modern } from '../support/sdk-clients.ts';
import { record, startMock, type Talk, talkToMock } from './stage.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const fixture = fileURLToPath(new URL('../bridge/both-eras-stdio.mjs', import.meta.url));

/** A talk in which servers of the older era send requests, and servers of the newest ask in their results. */
const requestedOfEverything: Talk = async ({ client, call }) => {
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
  expect(text(await call('echo', { message: 'hi' }))).toBe('Echo: hi');
  await call('trigger-long-running-operation', { duration: 0.05, steps: 2 }, { onprogress: () => undefined });
  expect(text(await call('trigger-sampling-request', { prompt: 'Say hello', maxTokens: 10 }))).toContain('Hello.');
  expect(text(await call('trigger-elicitation-request', {}))).toContain('✅');
  await client.readResource({ uri: 'demo://resource/static/document/features.md' });
};

const requestedOfFixture: Talk = async ({ client, call, request }) => {
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('test_simple_text');
  expect(text(await call('test_simple_text', {}))).toContain('simple');
  await call('test_tool_with_progress', {}, { onprogress: () => undefined });
  expect(text(await call('test_input_required_result_elicitation', {}))).toBe('Hello, Zoë!');
  // Three input requests at once, and a state that the client returns with its answers.
  expect(text(await call('test_input_required_result_multiple_inputs', {}))).toBe('Got all three.');
  await request('resources/read', { uri: 'test://static-text' });
};

describe('a recording from before 2026-07-28', () => {
  it.each(['stdio', 'streamable-http'] as const)('serves clients of 2026-07-28 over %s', async (listen) => {
    const place = new Place();
    await record(place, connectV1, [process.execPath, everything, 'stdio'], requestedOfEverything, { roots: false });
    const connects = [connectV2Modern, connectV2Auto, connectV2];
    for (const connect of inLongRuns(connects, [listen === 'stdio' ? connectV2Auto : connectV2Modern])) {
      await talkToMock(place, connect, listen, requestedOfEverything);
    }
  });

  it('reports its translations on stderr', async () => {
    const place = new Place();
    await record(place, connectV1, [process.execPath, everything, 'stdio'], requestedOfEverything, { roots: false });
    const mock = await startMock(place, 'streamable-http');
    const connected = await connectV2Auto({ url: mock.url, transport: 'streamable-http' });
    await requestedOfEverything(connected);
    await connected.leave();
    const { stderr } = await mock.stop();
    expect(stderr).toContain(
      'mcpreel: The recording has no server/discover; the response is built from the recorded server information\n',
    );
    expect(stderr).toContain('mcpreel: Server requests are sent as input_required to clients of 2026-07-28\n');
  });
});

describe('list_changed notifications', () => {
  const receivedOf = 'notifications/tools/list_changed';
  const change: Talk = async ({ call, noted }) => {
    await call('test_trigger_tool_change', {});
    await noted.hears(receivedOf);
  };

  it.each(['stdio', 'streamable-http'] as const)(
    'sends list_changed to subscribers over %s, though recorded without a subscription',
    async (listen) => {
      const place = new Place();
      await record(place, connectV1, [process.execPath, fixture], change);
      const talk: Talk = async (connected) => {
        const subscription = await (connected as ConnectedV2).listen({ toolsListChanged: true });
        await change(connected);
        await subscription.close();
      };
      await talkToMock(place, connectV2Modern, listen, talk);
    },
  );

  it.each(['stdio', 'streamable-http'] as const)(
    'sends list_changed over %s without a subscription, though recorded with one',
    async (listen) => {
      const place = new Place();
      const subscribe: Talk = async (connected) => {
        const subscription = await (connected as ConnectedV2).listen({ toolsListChanged: true });
        await change(connected);
        await subscription.close();
      };
      await record(place, connectV2Modern, [process.execPath, fixture], subscribe);
      await talkToMock(place, connectV1, listen, change);
    },
  );
});

describe('a client of an older revision than the recorded one', () => {
  it('answers initialize with the older revision that the client requests', async () => {
    const place = new Place();
    await record(place, connectV1, [process.execPath, fixture], ({ client }) =>
      client.listTools().then(() => undefined),
    );
    const initialize = (revision: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"${revision}","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n`;
    const old = await place.run(['mock', 'session.json'], { input: initialize('2024-11-05') });
    expect(jsonLines(old.stdout)).toMatchObject([{ id: 1, result: { protocolVersion: '2024-11-05' } }]);
    expect(old.stderr).toContain(
      'mcpreel: The client requested protocol version 2024-11-05, the recording has 2025-11-25: answering with 2024-11-05\n',
    );
    const newest = await place.run(['mock', 'session.json'], { input: initialize('2099-01-01') });
    expect(jsonLines(newest.stdout)).toMatchObject([{ id: 1, result: { protocolVersion: '2025-11-25' } }]);
  });
});

describe('a recording of 2026-07-28', () => {
  it.each(['stdio', 'sse', 'streamable-http'] as const)('serves clients of older revisions over %s', async (listen) => {
    const place = new Place();
    await record(place, connectV2Modern, [process.execPath, fixture], requestedOfFixture);
    for (const connect of inLongRuns([connectV1, connectV2], [listen === 'stdio' ? connectV2 : connectV1])) {
      await talkToMock(place, connect, listen, requestedOfFixture);
    }
  });
});

describe('clients that connect at the same time', () => {
  it.each(['sse', 'streamable-http'] as const)(
    'each client has its own position in the recording over %s',
    async (transport) => {
      const place = new Place();
      const talk: Talk = async ({ call }) => {
        const graphs = [
          await call('read_graph', {}),
          await call('create_entities', { entities }),
          await call('read_graph', {}),
        ];
        expect(graphs).toMatchObject([
          { structuredContent: { entities: [] } },
          { structuredContent: { entities } },
          { structuredContent: { entities } },
        ]);
      };
      const memory = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));
      const entities = [{ name: 'Ada', entityType: 'person', observations: [] }];
      const flags = ['--env', `MEMORY_FILE_PATH=${place.path('memory.jsonl')}`];
      await record(place, connectV1, [process.execPath, memory], talk, { flags });
      const mock = await startMock(place, transport, ['--exhausted', 'error', '--fail-on-miss']);
      const both = await Promise.all([connectV1, connectV2].map((connect) => connect({ url: mock.url, transport })));
      await Promise.all(both.map(talk));
      await Promise.all(both.map(({ leave }) => leave()));
      expect(await mock.stop()).toMatchObject({ code: 0 });
    },
  );
});

function text(result: unknown): string | undefined {
  return (result as { content: readonly { text?: string }[] } | undefined)?.content[0]?.text;
}
