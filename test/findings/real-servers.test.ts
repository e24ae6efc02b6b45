import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { converse } from '../http/rich-talk.ts';
import { CommandPlace } from '../support/command-place.ts';
import { startConformanceServer } from '../support/conformance-server.ts';
import { startProxy } from '../support/http-proxy.ts';
import { startEverything } from '../support/http-servers.ts';
import { inLongRuns } from '../support/long-run.ts';
import { notingFetch } from '../support/noting-fetch.ts';
import type { Place } from '../support/place.ts';
import { type Json, jsonLines } from '../support/recordings.ts';
import {
  type Connect,
  type Connected,
  connectV1,
  connectV2,
  connectV2Auto,
  connectV2Modern,
} from '../support/sdk-clients.ts';
import { bothErasServer } from '../support/servers.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const filesystem = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));
const memory = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));

const clients = [
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
] as const;

/** The findings of `inspect` in a recording, which must contain entries. */
async function findingsIn(place: Place, file: string): Promise<Json[]> {
  const { code, stdout, stderr } = await place.run(['inspect', '--findings', '--json', file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = jsonLines(stdout);
  expect(lines.at(-1)).toMatchObject({ summary: { problems: 0 } });
  expect(jsonLines((await place.run(['inspect', '--json', file])).stdout).length).toBeGreaterThan(2);
  return lines.slice(0, -1);
}

/** Lets a client talk to a stdio server, and returns the findings in all of its recordings. */
async function findingsOfTalk(
  connect: Connect,
  offer: { readonly place: Place; readonly server: readonly string[]; readonly rootUri?: string },
  talk: (connected: Connected) => Promise<unknown>,
): Promise<Json[]> {
  const { place, server } = offer;
  const flags = ['--env', `MEMORY_FILE_PATH=${place.path('memory.jsonl')}`, '--session-file', 'session.json'];
  const connected = await connect({ ...offer, args: [...flags, '--', ...server] });
  try {
    await talk(connected);
  } finally {
    await connected.client.close();
  }
  return findingsIn(place, 'session.json');
}

/** The two requests of the rich talk that are meant to fail. */
const MEANT_TO_FAIL = [
  expect.objectContaining({ severity: 'info', message: expect.stringContaining('no-such-tool') }),
  expect.objectContaining({ severity: 'info', message: expect.stringContaining('nowhere://') }),
];

/** Each server and transport with one of the clients, or with both in long runs. */
const tried = {
  'SDK v1': inLongRuns(['filesystem', 'stdio', 'streamable-http', 'sse', 'memory'], ['filesystem', 'streamable-http']),
  'SDK v2': inLongRuns(['filesystem', 'stdio', 'streamable-http', 'sse', 'memory'], ['memory', 'stdio', 'sse']),
};

describe.each(clients)('findings in the recording of a client of %s', (version, connect) => {
  const isTried = (what: string): boolean => tried[version].includes(what);

  if (isTried('filesystem'))
    it('server-filesystem has no findings', async () => {
      const place = new CommandPlace();
      const files = place.path('files');
      mkdirSync(files);
      place.write('files/poem.txt', 'Zoë\n');
      const offer = { place, server: [process.execPath, filesystem, files], rootUri: pathToFileURL(files).href };
      const findings = await findingsOfTalk(connect, offer, async ({ client, call }) => {
        await client.listTools();
        await call('list_directory', { path: files });
        await call('read_text_file', { path: place.path('files/poem.txt') });
        await call('write_file', { path: place.path('files/new.txt'), content: 'x' });
        await call('directory_tree', { path: files });
        await call('list_allowed_directories', {});
      });
      expect(findings).toEqual([]);
    });

  if (isTried('memory'))
    it('server-memory has no findings', async () => {
      const place = new CommandPlace();
      const findings = await findingsOfTalk(
        connect,
        { place, server: [process.execPath, memory] },
        async (connected) => {
          await connected.client.listTools();
          const entities = ['Ada', 'Zoë'].map((name) => ({ name, entityType: 'person', observations: [`is ${name}`] }));
          await connected.call('create_entities', { entities });
          await connected.call('create_relations', { relations: [{ from: 'Ada', to: 'Zoë', relationType: 'knows' }] });
          await connected.call('read_graph', {});
          await connected.call('search_nodes', { query: 'Ada' });
        },
      );
      expect(findings).toEqual([]);
    });

  if (isTried('stdio'))
    it('server-everything has only the findings that were provoked', async () => {
      const offer = { place: new CommandPlace(), server: [process.execPath, everything, 'stdio'] };
      expect(await findingsOfTalk(connect, offer, converse)).toEqual(MEANT_TO_FAIL);
    });

  it.each((['streamable-http', 'sse'] as const).filter(isTried))(
    'server-everything over %s has only the findings that were provoked',
    async (transport) => {
      const place = new CommandPlace();
      const flags = ['--transport', transport, '--target-url', await startEverything(transport)];
      const proxy = await startProxy(place, flags);
      const { fetch, answered } = notingFetch();
      const connected = await connect({ url: proxy.url, transport, fetch, resumes: false });
      await answered('GET');
      await converse(connected);
      await connected.leave();
      await proxy.stop();
      expect(await findingsIn(place, 'trace.jsonl')).toEqual(MEANT_TO_FAIL);
    },
  );
});

describe('findings in the recording of a client that first asks for revisions', () => {
  it.each([
    ['knows', bothErasServer, 'echo', { text: 'hello' }],
    // The server sends roots/list at some point; this call makes it do so before the client disconnects.
    ['does not know', [process.execPath, everything, 'stdio'], 'get-roots-list', {}],
  ] as const)('a server that %s the newest revision has no findings', async (_, server, name, args) => {
    const place = new CommandPlace();
    const talk = async ({ client, call }: Connected): Promise<void> => {
      await client.listTools();
      await call(name, args);
    };
    expect(await findingsOfTalk(connectV2Auto, { place, server }, talk)).toEqual([]);
    expect(place.traces()).toHaveLength(2);
    for (const trace of place.traces()) expect(await findingsIn(place, trace)).toEqual([]);
  });
});

describe('findings in the recording of clients of the newest revision over HTTP', () => {
  it('a server has no findings, whether or not an older client shares it', async () => {
    const server = await startConformanceServer();
    onTestFinished(async () => void (await server.stop()));
    const place = new CommandPlace();
    const proxy = await startProxy(place, ['--target-url', server.url]);
    const way = { url: proxy.url, transport: 'streamable-http' } as const;
    const [older, ...newer] = await Promise.all([
      connectV2({ ...way, resumes: false }),
      connectV2Modern(way),
      connectV2Modern(way),
    ]);
    await Promise.all([older, ...newer].map(({ client }) => client.listTools()));
    await Promise.all([older, ...newer].map(({ call }) => call('test_simple_text', {})));
    for (const { call, listen, noted } of newer) {
      await call('test_input_required_result_elicitation', {});
      await call('test_tool_with_progress', {}, { onprogress: () => undefined });
      const changes = await listen({ toolsListChanged: true });
      await call('test_trigger_tool_change', {});
      await noted.hears('notifications/tools/list_changed');
      await changes.close();
    }
    await Promise.all([older, ...newer].map(({ leave }) => leave()));
    await proxy.stop();
    expect(await findingsIn(place, 'trace.jsonl')).toEqual([]);
  });
});
