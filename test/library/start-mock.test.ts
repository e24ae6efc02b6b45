import { describe, expect, it } from 'vitest';
import { type GivenSession, readSession, recordSession, startMock } from '../../src/index.ts';
import type { Place } from '../support/place.ts';
import { clients, connectV1, goShopping, ownPlace, shop } from './shop.ts';

/** Records a client with the first version of the shop server; returns the response about pears. */
async function record(place: Place): Promise<string> {
  const recording = await recordSession({ command: shop(1), file: place.path('session.json') });
  const reported = await goShopping(await connectV1({ transport: recording.transport }));
  await recording.stop();
  return reported;
}

describe.each(clients)('a mock for clients of %s', (_, connect) => {
  it('answers like the server over all transports at once, each client from the beginning', async () => {
    const place = ownPlace();
    const reported = await record(place);
    const mock = await startMock(place.path('session.json'), { exhausted: 'error' });
    const { command, args, url } = mock;
    const connected = [
      connect({ transport: mock.transport }),
      connect({ command, args }),
      connect({ url, kind: 'streamable-http' }),
      connect({ transport: mock.transport }),
    ];
    const received = await Promise.all(connected.map(async (client) => goShopping(await client)));
    expect(received).toEqual(connected.map(() => reported));
    expect(await mock.stop()).toMatchObject({ answered: 12, recorded: 3, unused: [], misses: [] });
  });

  it('serves HTTP+SSE if requested', async () => {
    const place = ownPlace();
    const reported = await record(place);
    await using mock = await startMock(await readSession(place.path('session.json')), { listenTransport: 'sse' });
    expect(await goShopping(await connect({ url: mock.url, kind: 'sse' }))).toBe(reported);
  });
});

describe('startMock', () => {
  it('returns the same transport until it is connected', async () => {
    const place = ownPlace();
    await record(place);
    await using mock = await startMock(place.path('session.json'));
    const { transport } = mock;
    expect(mock.transport).toBe(transport);
    const client = await connectV1({ transport });
    expect(mock.transport).not.toBe(transport);
    const hint = 'Take another one: each serves one client.';
    await expect(transport.start()).rejects.toMatchObject({
      code: 'usage',
      message: 'The mcpreel transport is connected already',
      hint,
    });
    await client.close();
    await expect(transport.start()).rejects.toMatchObject({ message: 'The mcpreel transport is closed', hint });
  });

  it('returns a new transport for one that was closed before a client connected', async () => {
    const place = ownPlace();
    const reported = await record(place);
    await using mock = await startMock(place.path('session.json'));
    await mock.transport.close();
    expect(await goShopping(await connectV1({ transport: mock.transport }))).toBe(reported);
  });

  it('accepts no clients after it is stopped', async () => {
    const place = ownPlace();
    await record(place);
    const mock = await startMock(place.path('session.json'));
    await goShopping(await connectV1({ transport: mock.transport }));
    await mock.stop();
    await expect(mock.transport.start()).rejects.toMatchObject({
      code: 'usage',
      message: 'The session was stopped',
      hint: 'Connect clients before you stop it.',
    });
  });

  it('reports a miss to the caller and to the client', async () => {
    const place = ownPlace();
    await record(place);
    const notes: string[] = [];
    const mock = await startMock(place.path('session.json'), { onNote: (line) => notes.push(line) });
    const client = await connectV1({ transport: mock.transport });
    const why = 'no match for tools/call stock; closest is #005: $.params.arguments.item recorded "pear", got "fig"';
    await expect(client.callTool({ name: 'stock', arguments: { item: 'fig' } })).rejects.toThrow(why);
    const miss = { method: 'tools/call', name: 'stock', why: 'unknown', message: why, isForwarded: false };
    expect(mock.report()).toMatchObject({ missed: 1, forwarded: 0, misses: [miss] });
    expect(notes).toContain(`mcpreel: No response: ${why}`);
    await mock.stop();
  });

  it('forwards unrecorded requests, and adds them to the recording', async () => {
    const place = ownPlace();
    await record(place);
    const file = place.path('session.json');
    const options = { onMiss: 'forward', command: shop(1), recordMode: 'new' } as const;
    const requested = async (given: GivenSession): Promise<unknown> => {
      await using mock = await startMock(given, options);
      const client = await connectV1({ transport: mock.transport });
      return await client.callTool({ name: 'stock', arguments: { item: 'fig' } });
    };
    const reported = await requested(file);
    expect(JSON.stringify(reported)).toContain('\\"item\\":\\"fig\\"');
    // The response contains a time, which would differ if the server had answered again.
    expect(await requested(file)).toEqual(reported);
    expect(await requested(place.path('new.json'))).not.toEqual(reported);
    expect(place.files()).toContain('new.json');
  });
});
