import { describe, expect, it, vi } from 'vitest';
import { readSession, recordSession, replaySession } from '../../src/index.ts';
import { startEverything } from '../support/http-servers.ts';
import type { Place } from '../support/place.ts';
import { clients, connectV1, goShopping, ownPlace, shop } from './shop.ts';

/** Records clients of both SDKs with the first version of the shop server as `session.json`. */
async function recorded(): Promise<Place> {
  const place = ownPlace();
  const recording = await recordSession({ command: shop(1), file: place.path('session.json') });
  for (const [, connect] of clients) await goShopping(await connect({ transport: recording.transport }));
  await recording.stop();
  return place;
}

describe('replaySession', () => {
  it('reports no differences for the server that was recorded', async () => {
    const place = await recorded();
    const session = await readSession(place.path('session.json'));
    const write = vi.spyOn(process.stdout, 'write');
    const reported: string[] = [];
    const outcome = await replaySession(session, {
      command: shop(1),
      onResult: ({ verdict, method }) => reported.push(`${verdict} ${method}`),
    });
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
    expect(outcome.matches).toBe(true);
    const counts = { total: 6, matched: 6, changed: 0, timedOut: 0, failed: 0, skipped: 0 };
    expect(outcome.summary).toEqual(counts);
    expect(reported.toSorted()).toEqual(
      outcome.results.map(({ verdict, method }) => `${verdict} ${method}`).toSorted(),
    );
  });

  it('reports exactly the differences of a changed server', async () => {
    const place = await recorded();
    const { matches, results } = await replaySession(place.path('session.json'), { command: shop(2) });
    expect(matches).toBe(false);
    const changed = results.filter(({ verdict }) => verdict !== 'match' && verdict !== 'sent');
    expect(changed.map(({ verdict, method, name, differences }) => ({ verdict, method, name, differences }))).toEqual(
      [1, 2].flatMap(() => [
        {
          verdict: 'changed',
          method: 'tools/list',
          name: undefined,
          differences: [
            { path: '$.result.tools[2]', recorded: expect.stringContaining('"order"'), replayed: undefined },
          ],
        },
        {
          verdict: 'changed',
          method: 'tools/call',
          name: 'stock',
          differences: [{ path: '$.result.content[0].text.count', recorded: '3', replayed: '4' }],
        },
      ]),
    );
  });

  it('skips ignored paths, and applies the compare mode', async () => {
    const place = await recorded();
    const ignore = ['$.result.tools', 'tool:stock $.result.content[0].text.count'];
    expect(await replaySession(place.path('session.json'), { command: shop(2), ignore })).toMatchObject({
      matches: true,
    });
    const strict = await replaySession(place.path('session.json'), { command: shop(1), compare: 'strict' });
    const paths = strict.results.flatMap(({ differences }) => differences.map(({ path }) => path));
    expect(new Set(paths)).toEqual(new Set(['$.result.content[0].text']));
    const shape = await replaySession(place.path('session.json'), { command: shop(2), compare: 'shape' });
    expect(shape.results.filter(({ verdict }) => verdict === 'changed').map(({ method }) => method)).toEqual([]);
  });

  it('replays to a server at a URL', async () => {
    ownPlace();
    const url = await startEverything('streamable-http');
    const recording = await recordSession({ url });
    const client = await connectV1({ url: recording.url, kind: 'streamable-http' });
    await client.callTool({ name: 'echo', arguments: { message: 'Zoë' } });
    await client.close();
    const { session } = await recording.stop();
    expect(await replaySession(session, { url, headers: { 'X-Test': '1' } })).toMatchObject({ matches: true });
  });

  it('waits indefinitely with an infinite timeout, and stops on an abort signal', async () => {
    const place = await recorded();
    const controller = new AbortController();
    const warnings: Error[] = [];
    const receive = (warning: Error): number => warnings.push(warning);
    process.on('warning', receive);
    const mute = [
      process.execPath,
      '-e',
      `process.stdin.once('data', () => console.error('heard')); process.stdin.resume()`,
    ];
    const outcome = await replaySession(place.path('session.json'), {
      command: mute,
      timeoutMs: Number.POSITIVE_INFINITY,
      signal: controller.signal,
      onNote: (line) => line === 'heard' && controller.abort(),
    });
    process.off('warning', receive);
    expect(outcome).toMatchObject({ matches: false, results: [] });
    expect(warnings.filter(({ name }) => name === 'TimeoutOverflowWarning')).toEqual([]);
  });

  it('reports timeouts for a server that hangs, and rejects if the server cannot be started', async () => {
    const place = await recorded();
    const session = await readSession(place.path('session.json'));
    const mute = [process.execPath, '-e', 'process.stdin.resume()'];
    const hung = await replaySession(session, { command: mute, timeoutMs: 50, handshake: false }).catch(
      (error: unknown) => error,
    );
    expect(hung).toMatchObject({ matches: false, summary: { matched: 0, timedOut: 4 } });
    await expect(replaySession(session, { command: ['no-such-program'] })).rejects.toMatchObject({
      code: 'target-unreachable',
      message: expect.stringMatching(/^Cannot start ".*": command not found$/),
    });
  });
});
