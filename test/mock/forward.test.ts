import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AGE_KEY_FILE, AGE_RECIPIENT } from '../support/age-sample.ts';
import { inLongRuns } from '../support/long-run.ts';
import { Place } from '../support/place.ts';
import { jsonLines, readSessionFile } from '../support/recordings.ts';
import { connectV1, connectV2, connectV2Modern } from '../support/sdk-clients.ts';
import { bothErasServer } from '../support/servers.ts';
import { partText } from '../support/trace-texts.ts';
import { type Listen, record, startMock, type Talk, talkToMock } from './stage.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const toBothEras = ['--on-miss', 'forward', '--target-command', bothErasServer.join(' ')];
const toEverything = ['--on-miss', 'forward', '--target-command', `${process.execPath} ${everything} stdio`];

/** Sends these texts, and expects them to be echoed. */
function saying(...texts: readonly string[]): Talk {
  return async ({ call }) => {
    for (const text of texts) expect(await call('echo', { text })).toMatchObject({ content: [{ text }] });
  };
}

describe('requests that were not recorded', () => {
  it.each([
    ['of SDK v1 over stdio', connectV1, 'stdio'],
    ['of SDK v2 over HTTP+SSE', connectV2, 'sse'],
    ['of SDK v2 over Streamable HTTP', connectV2, 'streamable-http'],
    ['of 2026-07-28 over stdio', connectV2Modern, 'stdio'],
    ['of 2026-07-28 over HTTP', connectV2Modern, 'streamable-http'],
  ] as const)(
    'forwards unrecorded requests to a live server and records them, for clients %s',
    async (_, connect, listen) => {
      const place = new Place();
      await record(place, connect, bothErasServer, saying('old'));
      const before = readSessionFile(place.path('session.json')).messages;
      await talkToMock(place, connect, listen, saying('old', 'new'), { flags: toBothEras });
      const { messages } = readSessionFile(place.path('session.json'));
      expect(messages.slice(0, before.length)).toEqual(before);
      expect(messages.slice(before.length)).toMatchObject([
        { direction: 'in', payload: { method: 'tools/call', params: { arguments: { text: 'new' } } } },
        { direction: 'out', payload: { result: { content: [{ text: 'new' }] } }, answers: messages[before.length]?.id },
      ]);
      await talkToMock(place, connect, listen, saying('old', 'new'), { flags: ['--fail-on-miss'] });
    },
  );

  it('creates the recording if it does not exist', async () => {
    const place = new Place();
    const flags = [...toBothEras, '--record-mode', 'once'];
    await talkToMock(place, connectV1, 'stdio', saying('first'), { flags });
    await talkToMock(place, connectV1, 'stdio', saying('first'), { flags: ['--fail-on-miss'] });
    expect(readSessionFile(place.path('session.json')).session).toMatchObject({ transport: 'stdio' });
  });

  it('answers unrecorded requests with an error if a recording exists, with --record-mode once', async () => {
    const place = new Place();
    await record(place, connectV1, bothErasServer, saying('old'));
    const before = place.read('session.json');
    const flags = [...toBothEras, '--record-mode', 'once'];
    const talk: Talk = ({ call }) => expect(call('echo', { text: 'new' })).rejects.toThrow('no match for tools/call');
    await talkToMock(place, connectV1, 'stdio', talk, { flags });
    expect(place.read('session.json')).toBe(before);
  });

  it('replaces the whole recording with --record-mode all', async () => {
    const place = new Place();
    await record(place, connectV1, bothErasServer, saying('old'));
    await talkToMock(place, connectV1, 'stdio', saying('new'), { flags: [...toBothEras, '--record-mode', 'all'] });
    const { messages } = readSessionFile(place.path('session.json'));
    const texts = messages.map(({ payload }) => JSON.stringify(payload));
    expect(texts.filter((text) => text.includes('"old"'))).toEqual([]);
    expect(texts.filter((text) => text.includes('"new"'))).toHaveLength(2);
    expect(messages[0]?.payload.method).toBe('initialize');
  });

  it('answers unrecorded requests with an error if CI is set and no record mode is given', async () => {
    const place = new Place();
    await record(place, connectV1, bothErasServer, saying('old'));
    const request = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":"new"}}}\n`;
    const inCi = await place.run(['mock', 'session.json', ...toBothEras], { input: request(1), env: { CI: 'true' } });
    expect(inCi.stderr).toContain('mcpreel: CI is set: requests are not forwarded or recorded\n');
    expect(jsonLines(inCi.stdout)).toMatchObject([{ error: { code: -32000 } }]);
  });

  it.each(inLongRuns<Listen>(['stdio', 'streamable-http'], ['streamable-http']))(
    'forwards requests from the live server to the client over %s, and records them',
    async (listen) => {
      const place = new Place();
      const greet: Talk = async ({ call }) => void (await call('echo', { message: 'hi' }));
      const ask: Talk = async ({ call, noted }) => {
        await call('trigger-long-running-operation', { duration: 0.05, steps: 3 }, { onprogress: () => undefined });
        expect(noted.received.filter((message) => methodOf(message) === 'notifications/progress')).toHaveLength(3);
        const sampled = await call('trigger-sampling-request', { prompt: 'Say hello', maxTokens: 10 });
        expect(JSON.stringify(sampled)).toContain('Hello.');
      };
      await record(place, connectV1, [process.execPath, everything, 'stdio'], greet, { roots: false });
      await talkToMock(place, connectV1, listen, ask, { roots: false, flags: toEverything });
      await talkToMock(place, connectV1, listen, ask, { roots: false, flags: ['--fail-on-miss'] });
    },
  );

  it('answers with an error if the live server cannot be started', async () => {
    const place = new Place();
    await record(place, connectV1, bothErasServer, saying('old'));
    const flags = ['--on-miss', 'forward', '--target-command', 'no-such-program-anywhere'];
    const talk: Talk = ({ call }) => expect(call('echo', { text: 'new' })).rejects.toThrow('command not found');
    await talkToMock(place, connectV1, 'stdio', talk, { flags });
  });

  it('records forwarded requests without their secrets', async () => {
    const place = new Place();
    await record(place, connectV1, bothErasServer, saying('old'));
    const secret = `ghp_${'0123456789abcdefghijABCDEFGHIJ012345'}`;
    await talkToMock(place, connectV1, 'stdio', saying(secret), { flags: toBothEras });
    expect(place.read('session.json')).not.toContain(secret);
    await talkToMock(place, connectV1, 'stdio', ({ call }) => call('echo', { text: secret }).then(() => undefined), {
      flags: ['--fail-on-miss'],
    });
  });

  it('refuses to add to a recording in another tool’s format', async () => {
    const place = new Place();
    await record(place, connectV1, bothErasServer, saying('old'));
    await place.run(['export', 'session.json', '-f', 'har', '-o', 'session.har']);
    const { stderr, code } = await place.run(['mock', 'session.har', ...toBothEras]);
    expect(stderr).toBe(
      'Error: Cannot rewrite session.har: it is in the format har. Convert it to a session file first: mcpreel export -f json\n',
    );
    expect(code).toBe(2);
  });

  it('refuses to add to a recording in several parts', async () => {
    const place = new Place();
    place.write('trace.jsonl', partText(1, [0, 2]));
    place.write('trace.part-2.jsonl', partText(2, [2, 4]));
    const { stderr, code } = await place.run(['mock', 'trace.jsonl', ...toBothEras]);
    expect(stderr).toBe(
      'Error: Cannot rewrite trace.jsonl: it is one of 2 parts. Merge them first: mcpreel export -f json\n',
    );
    expect(code).toBe(2);
  });

  it('adds no plain text to an encrypted recording', async () => {
    const place = new Place();
    place.write('key.txt', AGE_KEY_FILE);
    await record(place, connectV1, bothErasServer, saying('old'));
    await place.run(['export', 'session.json', '-f', 'json', '--encrypt-to', AGE_RECIPIENT, '-o', 'session.age']);
    const before = place.read('session.age');
    const { stderr, code } = await place.run(['mock', 'session.age', '--identity', 'key.txt', ...toBothEras]);
    expect(stderr).toBe('Error: Cannot rewrite session.age: it is encrypted. Decrypt it first.\n');
    expect(code).toBe(2);
    expect(place.read('session.age')).toBe(before);
  });

  it('refuses to add to a session id instead of a file', async () => {
    const place = new Place();
    await record(place, connectV1, bothErasServer, saying('old'));
    const [trace = ''] = place.traces();
    const id = /-([0-9a-f]{8})\.jsonl$/.exec(trace)?.[1] ?? '';
    const { stderr, code } = await place.run(['mock', id, ...toBothEras]);
    expect(stderr).toBe(`Error: Cannot record to ${id}: it is a session id. Name its file: ${place.path(trace)}\n`);
    expect(code).toBe(2);
    expect(place.files()).not.toContain(id);
  });

  it('reports forwarded requests at the end, and does not count them as failures', async () => {
    const place = new Place();
    await record(place, connectV1, bothErasServer, saying('old'));
    const mock = await startMock(place, 'streamable-http', [...toBothEras, '--fail-on-miss']);
    const connected = await connectV1({ url: mock.url, transport: 'streamable-http' });
    await saying('old', 'new')(connected);
    await connected.leave();
    const { stderr, code } = await mock.stop();
    expect(stderr).toContain('mcpreel: Added 2 messages to session.json\n');
    expect(stderr).toContain('mcpreel:   forwarded: no match for tools/call echo');
    expect(code).toBe(0);
  });
});

function methodOf(message: unknown): string | undefined {
  return (message as { method?: string }).method;
}
