import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { startProxy } from '../support/http-proxy.ts';
import type { Place } from '../support/place.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';
import { eventsOf, jsonLines, readSessionFile } from '../support/recordings.ts';
import { exchangesOf } from './exchanges.ts';
import { numbers, PingTalk } from './ping-talk.ts';

const SESSION = 'session.json';

describe('a recording with a listener', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('writes one session, saves it on %s and exits with 0', async (signal) => {
    const place = new CommandPlace();
    const { proxy, target, ...talk } = await begin(place, ['--session-file', SESSION, '--label', 'remote']);
    await talk.ping(3);
    proxy.process.signal(signal);
    expect(await proxy.process.ended).toEqual(
      expect.objectContaining({
        code: 0,
        signal: null,
        stdout: '',
        stderr: `mcpreel: Recording to trace.jsonl, and at exit to session.json
mcpreel: Listening on ${proxy.url} for ${target}
`,
      }),
    );
    const { session, messages } = readSessionFile(place.path(SESSION));
    expect(messages).toHaveLength(6);
    expect(session).toMatchObject({
      transport: 'streamable-http',
      server_url: target,
      server_command: null,
      ended_at: expect.any(String),
    });
    expect(place.files().filter((name) => name.endsWith('.jsonl'))).toEqual(['trace.jsonl']);
    const events = eventsOf({ events: jsonLines(place.read('trace.jsonl')) }, 'mcpreel.action');
    expect(events).toEqual([{ action: 'signal', signal }]);
  });

  it('writes its session file repeatedly with --save-every', async () => {
    const place = new CommandPlace();
    const { proxy, ...talk } = await begin(place, ['--session-file', SESSION, '--save-every', '0.05']);
    for (const pings of [2, 4]) {
      await talk.ping(2);
      await vi.waitFor(
        () => {
          expect(existsSync(place.path(SESSION))).toBe(true);
          const { session, messages } = readSessionFile(place.path(SESSION));
          expect({ count: messages.length, ended: session.ended_at }).toEqual({ count: 2 * pings, ended: null });
        },
        { interval: 20 },
      );
    }
    await proxy.stop();
    expect(readSessionFile(place.path(SESSION)).session.ended_at).toEqual(expect.any(String));
  });

  it('the session is listed as live while it runs, and as ended after it stops', async () => {
    const place = new CommandPlace();
    const { proxy, target, ...talk } = await begin(place, ['--label', 'remote'], null);
    await talk.ping(2);
    const listed = async (): Promise<unknown> => jsonLines((await place.run(['sessions', '--json'])).stdout)[0];
    const pid = proxy.process.pid;
    expect(await listed()).toMatchObject({ label: 'remote', state: 'live', pid, ended_at: null });
    const { outcome, trace } = await proxy.stop();
    expect(outcome.code).toBe(0);
    expect(await listed()).toMatchObject({ session: trace.meta.id, label: 'remote', ended_at: expect.any(String) });
    expect((await place.run(['sessions'])).stdout).toMatch(/ exit 0 +remote\n$/);
    const { code, stdout } = await place.run(['inspect', String(trace.meta.id)]);
    expect(code).toBe(0);
    expect(stdout).toBe(`Session: ${trace.meta.id}
Transport: streamable-http
Server URL: ${target}
Messages: 4

  #000 > ping id=0
  #001 < (response) id=0 corr=${trace.messages[0]?.id}
  #002 > ping id=1
  #003 < (response) id=1 corr=${trace.messages[2]?.id}
`);
  });

  it('stops while a client is still listening, and has recorded what that client received', async () => {
    const received = '{"jsonrpc":"2.0","method":"notifications/message"}';
    const { url } = await rawHttpServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`data: ${received}\n\n`);
    });
    const proxy = await startProxy(new CommandPlace(), ['--target-url', url.href]);
    const stream = (await fetch(proxy.url)).body?.getReader();
    await stream?.read();
    const { outcome, trace } = await proxy.stop();
    expect(outcome.code).toBe(0);
    await expect(stream?.read()).rejects.toThrow();
    expect(trace.messages.map(({ payload }) => payload)).toEqual([JSON.parse(received)]);
    expect(exchangesOf(trace)).toMatchObject([{ method: 'GET', status: 200, error: expect.any(String) }]);
  });
});

interface Talk {
  readonly proxy: PingTalk['proxy'];
  readonly target: string;
  /** Pings this many times more. */
  readonly ping: (count: number) => Promise<void>;
}

async function begin(place: Place, flags: readonly string[], traceFile?: string | null): Promise<Talk> {
  const talk = await PingTalk.start(place, flags, traceFile);
  let next = 0;
  const ping = async (count: number): Promise<void> => {
    await talk.ping(numbers(next, count));
    next += count;
  };
  return { proxy: talk.proxy, target: talk.target, ping };
}
