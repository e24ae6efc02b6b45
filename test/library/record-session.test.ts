import { mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { entriesOf, type RecordedSession, readSession, recordSession } from '../../src/index.ts';
import { startEverything } from '../support/http-servers.ts';
import { GITHUB_TOKEN } from '../support/sample-secrets.ts';
import { clients, connectV1, goShopping, ownPlace, shop } from './shop.ts';

/** The methods requested in a session, by conversation. */
async function methodsIn(session: RecordedSession): Promise<string[]> {
  const methods: string[] = [];
  for await (const entry of entriesOf(session)) {
    if (entry.kind !== 'message') continue;
    const { method } = JSON.parse(entry.text) as { method?: string };
    if (method !== undefined) methods.push(`${entry.conversation ?? 0} ${method}`);
  }
  return methods;
}

const SHOPPING = ['initialize', 'notifications/initialized', 'tools/list', 'tools/call'];
const shoppingIn = (conversation: number): string[] => SHOPPING.map((method) => `${conversation} ${method}`);

describe.each(clients)('recordSession with clients of %s', (_, connect) => {
  it('records child-process and in-process clients as conversations of one session', async () => {
    const place = ownPlace();
    const recording = await recordSession({ command: shop(1), file: place.path('session.json') });
    const { command, args } = recording;
    expect(await goShopping(await connect({ transport: recording.transport }))).toContain('"count":3');
    expect(await goShopping(await connect({ command, args }))).toContain('"count":3');
    expect(await goShopping(await connect({ transport: recording.transport }))).toContain('"count":3');
    const { file, session } = await recording.stop();
    expect(file).toBe(place.path('session.json'));
    expect(await methodsIn(session)).toEqual([...shoppingIn(0), ...shoppingIn(1), ...shoppingIn(2)]);
    expect(session.header).toMatchObject({ transport: 'stdio', command: shop(1) });
    expect(place.files()).toEqual(['session.json']);
  });

  it.each(['streamable-http', 'sse'] as const)('records clients that connect over %s', async (listenTransport) => {
    const place = ownPlace();
    const file = place.path('session.jsonl');
    const recording = await recordSession({ command: shop(1), listenTransport, file });
    const client = await connect({ url: recording.url, kind: listenTransport });
    expect(await goShopping(client)).toContain('"count":3');
    const { session } = await recording.stop();
    expect((await methodsIn(session)).map((method) => method.replace(/^\d+ /, ''))).toEqual(SHOPPING);
    expect(session.format).toBe('trace');
  });
});

describe('recordSession', () => {
  it('records a server at a URL, over its own transport or another one', async () => {
    ownPlace();
    const url = await startEverything('streamable-http');
    const relayed = await recordSession({ url });
    const client = await connectV1({ url: relayed.url, kind: 'streamable-http' });
    await client.callTool({ name: 'echo', arguments: { message: 'Zoë' } });
    await client.close();
    const bridged = await recordSession({ url, listenTransport: 'stdio' });
    const near = await connectV1({ transport: bridged.transport });
    await near.callTool({ name: 'echo', arguments: { message: 'Zoë' } });
    await near.close();
    for (const recording of [relayed, bridged]) {
      const { session, file } = await recording.stop();
      expect((await methodsIn(session)).map((method) => method.replace(/^\d+ /, ''))).toContain('tools/call');
      expect(session.header).toMatchObject({ transport: 'streamable-http', url });
      expect(file).toBeUndefined();
    }
  });

  it('leaves nothing on disk if no file is given, and still returns the session', async () => {
    const place = ownPlace();
    const temporary = place.path('temporary');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const recording = await recordSession({ command: shop(1) });
    await goShopping(await connectV1({ transport: recording.transport }));
    const { session } = await recording.stop();
    expect(await methodsIn(session)).toEqual(shoppingIn(0));
    expect(await methodsIn(session)).toEqual(shoppingIn(0));
    expect(place.files()).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('keeps secrets out of the file, and forwards them', async () => {
    const place = ownPlace();
    const file = place.path('session.json');
    const sent = async (redact?: 'off'): Promise<string> => {
      const recording = await recordSession({ command: shop(1), file, ...(redact && { redact }) });
      const client = await connectV1({ transport: recording.transport });
      const reported = await client.callTool({ name: 'stock', arguments: { item: GITHUB_TOKEN } });
      expect(JSON.stringify(reported)).toContain(GITHUB_TOKEN);
      await recording.stop();
      return place.read('session.json');
    };
    const redacted = await sent();
    expect(redacted).toContain('[REDACTED:github-token:');
    expect(redacted).not.toContain(GITHUB_TOKEN);
    expect(await sent('off')).toContain(GITHUB_TOKEN);
  });

  it('keeps the values of environment variables out of the file', async () => {
    const place = ownPlace();
    const env = { SHOP_PASSWORD: 'open sesame' };
    const recording = await recordSession({ command: shop(1), env, file: place.path('session.json') });
    const client = await connectV1({ transport: recording.transport });
    await client.callTool({ name: 'stock', arguments: { item: 'open sesame' } });
    await recording.stop();
    expect(place.read('session.json')).not.toContain('open sesame');
  });

  it('never overwrites a trace', async () => {
    const place = ownPlace();
    place.write('session.jsonl', 'mine\n');
    const recording = await recordSession({ command: shop(1), file: place.path('session.jsonl') });
    await goShopping(await connectV1({ transport: recording.transport }));
    const { file } = await recording.stop();
    expect(file).toBe(place.path('session-2.jsonl'));
    expect(place.read('session.jsonl')).toBe('mine\n');
    expect(await methodsIn(await readSession(file ?? ''))).toEqual(shoppingIn(0));
  });

  it('returns the same result from a second stop(), and can be disposed afterwards', async () => {
    const place = ownPlace();
    const recording = await recordSession({ command: shop(1), file: place.path('session.json') });
    const client = await connectV1({ transport: recording.transport });
    await client.listTools();
    const stopped = await recording.stop();
    expect(await recording.stop()).toBe(stopped);
    await recording[Symbol.asyncDispose]();
    await expect(client.listTools()).rejects.toThrow();
  });

  it('reports a server that cannot be started to the client', async () => {
    ownPlace();
    const notes: string[] = [];
    const recording = await recordSession({ command: ['no-such-program'], onNote: (line) => notes.push(line) });
    await expect(connectV1({ transport: recording.transport })).rejects.toThrow('command not found');
    await recording.stop();
    expect(notes.join('\n')).toContain('command not found');
  });
});
