import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inLongRuns, isLongRun } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { type Connected, connectV1, connectV2 } from '../support/sdk-clients.ts';
import { expectAllMatch, recordTalk, replay } from './replaying.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const filesystem = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));
const memory = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));

/** All that server-everything has to show: samples, questions, roots, progress, subscriptions, tasks, binary. */
async function tryEverything({ client, call, request, noted }: Connected): Promise<void> {
  // The server sent for the roots some time after the handshake. During a call, the question would count as part of it.
  await noted.answers('roots/list');
  await client.listTools();
  await client.listPrompts();
  await client.listResources();
  await client.listResourceTemplates();
  await client.setLoggingLevel('debug');
  await client.readResource({ uri: 'demo://resource/dynamic/text/1' });
  await client.subscribeResource({ uri: 'demo://resource/dynamic/text/1' });
  await call('echo', { message: 'Zoë' });
  await call('get-sum', { a: 1, b: 2 });
  await call('get-tiny-image', {});
  await call('get-resource-links', { count: 2 });
  await call('get-roots-list', {});
  await call('trigger-sampling-request', { prompt: 'Say hello', maxTokens: 10 });
  await call('trigger-elicitation-request', {});
  await call('trigger-long-running-operation', { duration: 0.2, steps: 2 }, { onprogress: () => undefined });
  await Promise.all([call('echo', { message: 'a' }), call('echo', { message: 'b' })]);
  await request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'completable-prompt' },
    argument: { name: 'department', value: 'E' },
  });
  await request('ping', {});
  await client.unsubscribeResource({ uri: 'demo://resource/dynamic/text/1' });
  // A task takes 4 s in the recording and in the replay; `src/replay/replay-session.test.ts` covers short ones.
  if (isLongRun) await runTask(request);
}

async function runTask(request: Connected['request']): Promise<void> {
  const created = await request('tools/call', {
    name: 'simulate-research-query',
    arguments: { topic: 'owls' },
    task: { ttl: 60_000 },
  });
  const { taskId } = created.task as { taskId: string };
  expect(await request('tasks/get', { taskId })).toMatchObject({ status: 'working' });
  // The response arrives when the task is done.
  await request('tasks/result', { taskId });
  expect(await request('tasks/get', { taskId })).toMatchObject({ status: 'completed' });
}

const v1 = ['SDK v1', connectV1] as const;
const v2 = ['SDK v2', connectV2] as const;

describe('replays to real servers', () => {
  it.each(inLongRuns([v1, v2], [v1]))(
    'replays a recording of %s to server-everything with the same responses',
    async (_, connect) => {
      const place = new Place();
      const server = [process.execPath, everything, 'stdio'];
      await recordTalk(connect, { place, server }, tryEverything);
      expectAllMatch(await replay(place, ['--', ...server]), isLongRun ? 22 : 18);
    },
    60_000,
  );

  it.each(inLongRuns([v1, v2], [v2]))(
    'replays a recording of %s to server-filesystem with the same responses',
    async (_, connect) => {
      const place = new Place();
      mkdirSync(place.path('files'));
      place.write('files/poem.txt', 'Zoë ✓\r\n"quoted"\n');
      const server = [process.execPath, filesystem, place.path('files')];
      const rootUri = pathToFileURL(place.path('files')).href;
      await recordTalk(connect, { place, server, rootUri }, async ({ client, call }) => {
        await client.listTools();
        await call('list_directory', { path: place.path('files') });
        await call('read_text_file', { path: place.path('files/poem.txt') });
        await call('read_text_file', { path: '/etc/passwd' });
      });
      const { results, ...rest } = await replay(place, ['--', ...server]);
      expectAllMatch({ results, ...rest }, 5);
      expect(JSON.stringify(results.at(-1)?.response)).toContain('Access denied');
    },
  );

  it.each(inLongRuns([v1, v2], [v2]))(
    'replays a recording of %s to server-memory, and reports a change if its data differs',
    async (_, connect) => {
      const place = new Place();
      const server = [process.execPath, memory];
      const file = (name: string): string[] => ['--env', `MEMORY_FILE_PATH=${place.path(name)}`];
      const entities = [{ name: 'Ada', entityType: 'person', observations: ['is Ada'] }];
      await recordTalk(
        connect,
        { place, server: ['env', `MEMORY_FILE_PATH=${place.path('one')}`, ...server] },
        async ({ client, call }) => {
          await client.listTools();
          await call('create_entities', { entities });
          await call('read_graph', {});
        },
      );
      expectAllMatch(await replay(place, [...file('two'), '--', ...server]), 4);
      const again = await replay(place, [...file('two'), '--', ...server]);
      expect(again.outcome.code).toBe(3);
      expect(again.summary).toMatchObject({ matched: 3, changed: 1 });
    },
  );
});
