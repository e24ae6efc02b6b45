import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { isLongRun } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { type Connected, type ConnectedV2, connectV2Modern } from '../support/sdk-clients.ts';
import { expectAllMatch, recordTalk, replay } from './replaying.ts';
import { listening } from './targets.ts';

const TRANSPORTS = ['stdio', 'streamable-http'] as const;
type Transport = (typeof TRANSPORTS)[number];
type Version = 'first' | 'mutated';

const server = fileURLToPath(new URL('modern-ledger-server.mjs', import.meta.url));
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Generated names that return in later requests, required input, and every kind of notification. */
async function talk(connected: Connected): Promise<void> {
  const { client, call, request, noted } = connected;
  await client.listTools();
  const opened = (await call('open', { value: 'one' })) as { content: [{ text: string }] };
  const { handle } = JSON.parse(opened.content[0].text) as { handle: string };
  await call('get', { handle });
  await call('greet', {});
  await call('slow', {}, { onprogress: () => undefined });
  await request('tools/call', { name: 'log', arguments: {}, _meta: { [LOG_LEVEL]: 'debug' } });
  const stream = await (connected as ConnectedV2).listen({ toolsListChanged: true });
  await call('tell', {});
  await noted.hears('notifications/tools/list_changed');
  await stream.close();
}

async function record(place: Place, transport: Transport): Promise<void> {
  if (transport === 'stdio') {
    await recordTalk(connectV2Modern, { place, server: [process.execPath, server, 'stdio', 'first'] }, talk);
    return;
  }
  const proxy = await startProxy(place, ['--session-file', 'session.json', ...(await target(transport, 'first'))]);
  const connected = await connectV2Modern({ url: proxy.url, transport });
  await talk(connected);
  await connected.leave();
  await proxy.stop();
}

async function target(transport: Transport, version: Version): Promise<readonly string[]> {
  if (transport === 'stdio') return ['--', process.execPath, server, 'stdio', version];
  return ['--target-url', await listening([server, transport, version], '/mcp')];
}

describe.each(TRANSPORTS)('a recording of 2026-07-28 over %s', (from) => {
  // A replay to the other transport needs more translation.
  it.each(TRANSPORTS.filter((to) => isLongRun || to !== from))(
    'matches its server over %s, and shows the changes of another version',
    async (to) => {
      const place = new Place();
      await record(place, from);
      expectAllMatch(await replay(place, await target(to, 'first')), 8);
      const { results, outcome } = await replay(place, await target(to, 'mutated'));
      const changes = results.filter(({ verdict }) => verdict !== 'match' && verdict !== 'sent');
      const requested = '$.result.inputRequests.who.params.message';
      const reported = changes.map(({ original_request: { method }, verdict, differences }) => [
        method,
        verdict,
        differences,
      ]);
      expect(reported).toEqual([
        [
          'tools/list',
          'changed',
          [
            { path: '$.result.tools[5].name', recorded: 'change', replayed: 'amend' },
            { path: '$.result.tools[5].description', recorded: 'Does change.', replayed: 'Does amend.' },
          ],
        ],
        ['tools/call', 'changed', [{ path: '$.result.content[0].text.total', recorded: 1, replayed: 2 }]],
        ['tools/call', 'changed', [{ path: requested, recorded: 'Who are you?', replayed: 'Your name, please?' }]],
        ['tools/call', 'changed', [{ path: '$.params.progress', recorded: 2, replayed: 3 }]],
        ['tools/call', 'changed', [{ path: '$.params.data', recorded: 'Something', replayed: 'Something else' }]],
      ]);
      expect(outcome.code).toBe(3);
    },
    60_000,
  );
});
