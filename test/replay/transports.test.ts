import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import { inLongRuns } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { type Connected, connectV1 } from '../support/sdk-clients.ts';
import { expectAllMatch, type Replay, recordTalk } from './replaying.ts';
import { listening } from './targets.ts';

const TRANSPORTS = ['stdio', 'sse', 'streamable-http'] as const;
type Transport = (typeof TRANSPORTS)[number];
type Version = 'first' | 'mutated';

const server = fileURLToPath(new URL('ledger-server.mjs', import.meta.url));

/** Everything in which the names that the server made up come back to it. */
async function talk({ client, call, request }: Connected): Promise<void> {
  for (let cursor: unknown, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    ({ nextCursor: cursor } = await request('tools/list', cursor === undefined ? {} : { cursor }));
  }
  const opened = (await call('open', { value: 'one' })) as { content: [{ uri: string }, { text: string }] };
  const [{ uri }, { text }] = opened.content;
  const { handle } = JSON.parse(text) as { handle: string };
  await client.subscribeResource({ uri });
  await client.readResource({ uri });
  await call('put', { handle, value: 'two' });
  await call('get', { handle });
  await call('watch', { uri });
  await call('ask', { prompt: 'How are you?' });
  await call('roots', {});
  await Promise.all([call('get', { handle }), call('get', { handle: 'none' })]);
  await call('slow', {}, { onprogress: () => undefined });
}

async function record(place: Place, transport: Transport): Promise<void> {
  if (transport === 'stdio') return recordTalk(connectV1, { place, server: [process.execPath, server, 'stdio'] }, talk);
  const flags = ['--session-file', 'session.json', '--transport', transport];
  const proxy = await startProxy(place, [...flags, ...(await target(transport, 'first'))]);
  const connected = await connectV1({ url: proxy.url, transport });
  await talk(connected);
  await connected.leave();
  await proxy.stop();
}

async function target(transport: Transport, version: Version): Promise<readonly string[]> {
  if (transport === 'stdio') return ['--', process.execPath, server, 'stdio', version];
  const path = transport === 'sse' ? '/sse' : '/mcp';
  return ['--target-url', await listening([server, transport, version], path)];
}

async function replayTo(place: Place, transport: Transport, version: Version): Promise<Replay> {
  const flags = ['--transport', transport, '--output', 'results.json', ...(await target(transport, version))];
  const outcome = await place.run(['replay', 'session.json', ...flags]);
  const { summary, results } = JSON.parse(place.read('results.json')) as Omit<Replay, 'outcome'>;
  return { outcome, summary, results };
}

/** Each transport is recorded and replayed to once; in long runs each with each. */
const REPLAYED_TO = {
  stdio: inLongRuns(TRANSPORTS, ['streamable-http']),
  sse: inLongRuns(TRANSPORTS, ['stdio']),
  'streamable-http': inLongRuns(TRANSPORTS, ['sse']),
} satisfies Record<Transport, readonly Transport[]>;

describe.each(TRANSPORTS)('a recording over %s', (from) => {
  it('matches the server that it was made with over any transport, and of another version shows what changed', async () => {
    const place = new Place();
    await record(place, from);
    for (const to of REPLAYED_TO[from]) {
      expectAllMatch(await replayTo(place, to, 'first'), 15);
      const { results, outcome } = await replayTo(place, to, 'mutated');
      const changes = results.flatMap(({ verdict, differences, sent_message }) =>
        verdict === 'match' || verdict === 'sent' ? [] : [{ verdict, differences, params: sent_message?.params }],
      );
      expect(changes).toMatchObject([
        { verdict: 'changed', differences: [{ path: '$.result.tools[0].name', recorded: 'slow', replayed: 'slower' }] },
        { verdict: 'changed', differences: [{ path: '$.result.content[0].text.total', recorded: 1, replayed: 2 }] },
        {
          verdict: 'changed',
          differences: [
            { path: '$.params.messages[0].content.text', recorded: 'How are you?', replayed: 'How are you?!' },
          ],
        },
        { verdict: 'changed', differences: [{ path: '$.result.content[0].text.total' }] },
        { verdict: 'changed', differences: [{ path: '$.result.content[0].text.total' }] },
        { verdict: 'changed', differences: [{ path: '$.params.progress', recorded: 2, replayed: 3 }] },
      ]);
      expect(outcome.code).toBe(3);
    }
  }, 60_000);
});

describe('a recording of two clients at once', () => {
  it('is replayed over a connection for each', async () => {
    const place = new Place();
    const proxy = await startProxy(place, [
      '--session-file',
      'session.json',
      ...(await target('streamable-http', 'first')),
    ]);
    const way = { url: proxy.url, transport: 'streamable-http' } as const;
    const [one, two] = [await connectV1(way), await connectV1(way)];
    await Promise.all([talk(one), talk(two)]);
    await Promise.all([one.leave(), two.leave()]);
    await proxy.stop();
    expectAllMatch(await replayTo(place, 'stdio', 'first'), 30);
  });
});
