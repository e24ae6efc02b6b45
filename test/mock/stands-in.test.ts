import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { converse } from '../http/rich-talk.ts';
import { startProxy } from '../support/http-proxy.ts';
import { startEverything } from '../support/http-servers.ts';
import { inLongRuns, isLongRun } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { connectV1, connectV2, connectV2Modern } from '../support/sdk-clients.ts';
import { type Listen, receivedBy, record, type Talk, talkToMock } from './stage.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const filesystem = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));
const memory = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));
const fixture = fileURLToPath(new URL('../bridge/both-eras-stdio.mjs', import.meta.url));

const clients = [
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
] as const;
const transports = ['stdio', 'sse', 'streamable-http'] as const;

/** Mocks each server for one client over one transport; in long runs for both clients over all transports. */
describe.each(clients)('a client of %s', (version, connect) => {
  const isV1 = version === 'SDK v1';
  const overEverything = inLongRuns<Listen>(transports, ['stdio']);
  const overFiles = inLongRuns<Listen>(transports, [isV1 ? 'sse' : 'stdio']);

  if (isLongRun || isV1)
    it('gets the same messages from the mock as from server-everything', { timeout: 120_000 }, async () => {
      const place = new Place();
      const server = [process.execPath, everything, 'stdio'];
      const noted = await record(place, connect, server, converse);
      for (const listen of overEverything) {
        const received = await talkToMock(place, connect, listen, converse);
        expect(receivedBy(received)).toEqual(receivedBy(noted));
      }
    });

  if (isLongRun || !isV1)
    it('gets the same messages from the mock as from server-memory, over any transport', async () => {
      const place = new Place();
      const flags = ['--env', `MEMORY_FILE_PATH=${place.path('memory.jsonl')}`];
      const entities = ['Ada', 'Zoë'].map((name) => ({ name, entityType: 'person', observations: [`is ${name}`] }));
      const talk: Talk = async ({ client, call }) => {
        await client.listTools();
        expect(await call('read_graph', {})).toMatchObject({ structuredContent: { entities: [] } });
        await call('create_entities', { entities });
        expect(await call('read_graph', {})).toMatchObject({ structuredContent: { entities } });
      };
      const noted = await record(place, connect, [process.execPath, memory], talk, { flags });
      for (const listen of transports) {
        expect(receivedBy(await talkToMock(place, connect, listen, talk))).toEqual(receivedBy(noted));
      }
    });

  it('reads files from the mock of server-filesystem, even if its root is another folder now', async () => {
    const place = new Place();
    const talkAbout =
      (folder: string): Talk =>
      async ({ client, call, noted }) => {
        await client.listTools();
        await noted.answers('roots/list');
        expect(text(await call('list_directory', { path: place.path(folder) }))).toBe('[FILE] poem.txt');
        expect(text(await call('list_allowed_directories', {}))).toContain(place.path(folder));
        expect(text(await call('read_text_file', { path: place.path(`${folder}/poem.txt`) }))).toBe('Zoë ✓\n');
      };
    const rootUri = (folder: string): string => pathToFileURL(place.path(folder)).href;
    mkdirSync(place.path('then'));
    place.write('then/poem.txt', 'Zoë ✓\n');
    const server = [process.execPath, filesystem, place.path('then')];
    const noted = await record(place, connect, server, talkAbout('then'), { rootUri: rootUri('then') });
    for (const listen of overFiles) {
      const same = await talkToMock(place, connect, listen, talkAbout('then'), { rootUri: rootUri('then') });
      expect(receivedBy(same)).toEqual(receivedBy(noted));
      await talkToMock(place, connect, listen, talkAbout('now'), { rootUri: rootUri('now') });
    }
  });
});

describe.each(inLongRuns(clients, [clients[0]]))('a client of %s with our fixture server', (_, connect) => {
  const talk: Talk = async ({ client, call, noted }) => {
    await client.listTools();
    await client.listPrompts();
    await client.listResources();
    await client.listResourceTemplates();
    await client.setLoggingLevel('debug');
    await call('test_tool_with_logging', {});
    await call('test_tool_with_progress', {}, { onprogress: () => undefined });
    await call('test_error_handling', {}).catch(() => undefined);
    await call('test_sampling', { prompt: 'Hello?' });
    await call('test_elicitation', { message: 'Who?' });
    await call('test_trigger_tool_change', {});
    await noted.hears('notifications/tools/list_changed');
  };

  it('gets the same messages from the mock as from the fixture, over any transport', async () => {
    const place = new Place();
    const noted = await record(place, connect, [process.execPath, fixture], talk);
    for (const listen of transports) {
      expect(receivedBy(await talkToMock(place, connect, listen, talk))).toEqual(receivedBy(noted));
    }
  });
});

describe.each(['sse', 'streamable-http'] as const)('a recording of server-everything over %s', (transport) => {
  const served = inLongRuns<Listen>(transports, [transport === 'sse' ? 'streamable-http' : 'sse']);

  it('serves the recording over any transport', { timeout: 120_000 }, async () => {
    const place = new Place();
    const target = await startEverything(transport);
    const flags = ['--transport', transport, '--target-url', target, '--session-file', 'session.json'];
    const proxy = await startProxy(place, flags);
    // A client that resumes a stream receives some messages twice.
    const connected = await connectV1({ url: proxy.url, transport, resumes: false });
    await converse(connected);
    await connected.leave();
    await proxy.stop();
    for (const listen of served) {
      expect(receivedBy(await talkToMock(place, connectV1, listen, converse))).toEqual(receivedBy(connected.noted));
    }
  });
});

describe('a client of 2026-07-28', () => {
  const talk: Talk = async ({ client, call, request, noted, ...rest }) => {
    await client.listTools();
    await call('test_tool_with_progress', {}, { onprogress: () => undefined });
    const greeted = await call('test_input_required_result_elicitation', {});
    expect(greeted).toMatchObject({ content: [{ type: 'text', text: 'Hello, Zoë!' }] });
    const { listen } = rest as unknown as Awaited<ReturnType<typeof connectV2Modern>>;
    const subscription = await listen({ toolsListChanged: true });
    await call('test_trigger_tool_change', {});
    await noted.hears('notifications/tools/list_changed');
    await subscription.close();
    await request('resources/read', { uri: 'test://static-text' });
  };

  it.each(['stdio', 'streamable-http'] as const)(
    'gets the same messages from the mock as from the fixture over %s',
    async (listen) => {
      const place = new Place();
      const noted = await record(place, connectV2Modern, [process.execPath, fixture], talk);
      const received = await talkToMock(place, connectV2Modern, listen, talk);
      expect(receivedBy(received)).toEqual(receivedBy(noted));
    },
  );
});

function text(result: unknown): string | undefined {
  return (result as { content: readonly { text?: string }[] }).content[0]?.text;
}
