import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { modernHeaders } from '../../src/protocol/modern-headers.ts';
import { startProxy } from '../support/http-proxy.ts';
import { initialized, modernRequest, request } from '../support/link-witness.ts';
import { Place } from '../support/place.ts';
import { eventsOf as recordedEvents } from '../support/recordings.ts';
import { unless, without } from '../support/unless.ts';
import { Lifeline } from '../transparency/lifeline.ts';
import { eventsOf } from './front-bench.ts';
import { everythingOver } from './targets.ts';

const lasting = fileURLToPath(new URL('lasting-server.mjs', import.meta.url));
const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

function initializeAs(name: string): string {
  const clientInfo = { name, version: '1' };
  return request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
}

function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } });
}

function postModern(url: string, body: string): Promise<Response> {
  return post(url, body, Object.fromEntries(modernHeaders(body)));
}

/** Starts a session as a client with this name, and returns its session header. */
async function begin(url: string, name: string): Promise<Record<string, string>> {
  const response = await post(url, initializeAs(name));
  expect(await response.json()).toMatchObject({ id: 0, result: { serverInfo: { name: 'lasting' } } });
  return { 'Mcp-Session-Id': response.headers.get('mcp-session-id') ?? '' };
}

describe('servers behind a listener', () => {
  async function start(
    listen: string,
  ): Promise<{ place: Place; lifeline: Lifeline; proxy: Awaited<ReturnType<typeof startProxy>> }> {
    const place = new Place();
    const lifeline = new Lifeline(place);
    const command = [process.execPath, lasting, lifeline.path];
    return { place, lifeline, proxy: await startProxy(place, ['--listen-transport', listen, '--', ...command]) };
  }

  it('ends a server with the conversation that it was started for', async () => {
    const { lifeline, proxy } = await start('streamable-http');
    const ada = await begin(proxy.url, 'ada');
    const zoe = await begin(proxy.url, 'zoe');
    const [heldByAda] = [await lifeline.holds('ada'), await lifeline.holds('zoe')];
    expect((await fetch(proxy.url, { method: 'DELETE', headers: ada })).status).toBe(200);
    await heldByAda.gone;
    expect((await post(proxy.url, request(1, 'pid'), zoe)).status).toBe(200);
  });

  it('ends a server with the stream of the client that it was started for', async () => {
    const { lifeline, proxy } = await start('sse');
    const abort = new AbortController();
    const stream = eventsOf(await fetch(proxy.url, { headers: { Accept: 'text/event-stream' }, signal: abort.signal }));
    const { value } = await stream.next();
    await post(new URL(value?.data ?? '', proxy.url).href, initializeAs('ada'));
    const held = await lifeline.holds('ada');
    abort.abort();
    await held.gone;
  });

  it('ends all servers with mcpreel, and records every conversation', async () => {
    const { lifeline, proxy } = await start('streamable-http');
    await begin(proxy.url, 'ada');
    await begin(proxy.url, 'zoe');
    await (await postModern(proxy.url, modernRequest(1, 'pid'))).text();
    const held = await Promise.all(['ada', 'zoe', 'shared'].map((name) => lifeline.holds(name)));
    const { outcome, trace } = await proxy.stop();
    await Promise.all(held.map(({ gone }) => gone));
    expect(outcome.code).toBe(0);
    expect(trace.messages).toHaveLength(6);
    expect(trace.end).toMatchObject({ exitCode: 0, reason: 'producer_shutdown' });
  });

  it('shares one server among all clients without a conversation', async () => {
    const { proxy } = await start('streamable-http');
    const answers = await Promise.all(
      [1, 1, 2].map(async (id) => (await postModern(proxy.url, modernRequest(id, 'pid'))).json()),
    );
    const pids = answers.map((answer) => (answer as { result: { pid: number } }).result.pid);
    expect(new Set(pids).size).toBe(1);
    expect(answers).toMatchObject([{ id: 1 }, { id: 1 }, { id: 2 }]);
  });

  it(
    'keeps serving its clients when there are too many open files to start a server for another one',
    unless(without('prlimit')),
    async () => {
      const { place, proxy } = await start('streamable-http');
      const ada = await begin(proxy.url, 'ada');
      await vi.waitFor(() => expect(readdirSync(place.path('home/live')).join()).toContain('.sock'));
      const { pid } = proxy.process;
      // Enough for two connections, and not for the pipes of a server.
      const limit = readdirSync(`/proc/${pid}/fd`).length + 3;
      spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:${limit}`]);
      for (const name of ['zoe', 'eve']) {
        const message = `mcpreel: Cannot start "${process.execPath}": too many open files`;
        expect(await (await post(proxy.url, initializeAs(name))).json()).toMatchObject({ id: 0, error: { message } });
      }
      expect((await post(proxy.url, request(1, 'pid'), ada)).status).toBe(200);
      const { outcome } = await proxy.stop();
      expect(outcome.stderr.match(/too many open files/gi)).toHaveLength(1);
      expect(outcome.stderr).toContain('mcpreel: Too many open files: some connections fail.');
    },
  );

  it('answers pending requests with an error and ends the conversation when the server exits', async () => {
    const { proxy } = await start('streamable-http');
    const ada = await begin(proxy.url, 'ada');
    const zoe = await begin(proxy.url, 'zoe');
    await post(proxy.url, initialized, ada);
    const response = await post(proxy.url, request(1, 'exit'), ada);
    const message = 'mcpreel: the server exited with status 7';
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } });
    expect((await post(proxy.url, request(2, 'pid'), ada)).status).toBe(404);
    expect((await post(proxy.url, request(1, 'pid'), zoe)).status).toBe(200);
    const { outcome, trace } = await proxy.stop();
    expect(outcome.stderr).toContain('mcpreel: The server exited with status 7\n');
    expect(recordedEvents(trace, 'mcpreel.action')).toContainEqual({
      action: 'exit',
      error: 'the server exited with status 7',
    });
  });

  it('restarts a shared server that has exited by itself', async () => {
    const { proxy } = await start('streamable-http');
    expect(await (await postModern(proxy.url, modernRequest(1, 'exit'))).json()).toMatchObject({
      error: { code: -32000 },
    });
    expect(await (await postModern(proxy.url, modernRequest(1, 'pid'))).json()).toMatchObject({ id: 1, result: {} });
  });

  it('records the stray output of a server with its conversation', async () => {
    const { proxy } = await start('streamable-http');
    const ada = await begin(proxy.url, 'ada');
    await (await post(proxy.url, request(1, 'grumble'), ada)).text();
    const { outcome, trace } = await proxy.stop();
    expect(outcome.stderr).toContain('grumbling\n');
    expect(trace.events.filter(({ kind }) => String(kind).startsWith('stdio.'))).toMatchObject([
      { kind: 'stdio.stderr', conv: 1, raw: { text: 'grumbling' } },
      { kind: 'stdio.noise', conv: 1, raw: { dir: 'out', text: 'no message' } },
    ]);
  });
});

it('returns an error to the client if the server cannot be started', async () => {
  const proxy = await startProxy(new Place(), ['--listen-transport', 'streamable-http', '--', 'no-such-program']);
  const response = await post(proxy.url, initializeAs('ada'));
  expect(response.headers.get('mcp-session-id')).toBeNull();
  expect(await response.json()).toMatchObject({
    id: 0,
    error: { code: -32000, message: expect.stringContaining('command not found') },
  });
});

describe('a stdio client of an HTTP server', () => {
  const flags = ['proxy', 'start', '--trace-file', 'trace.jsonl', '--listen-transport', 'stdio'];

  it('ends the session on the server when stdin closes', async () => {
    const target = await everythingOver('streamable-http');
    const place = new Place();
    const running = place.start([...flags, ...target.flags]);
    running.write(`${initializeAs('ada')}\n${initialized}\nhello\n`);
    await running.sent('"id":0');
    running.end();
    const { code } = await running.ended;
    await target.stop();
    expect(code).toBe(0);
    const trace = place.read('trace.jsonl');
    expect(trace).toMatch(/"side":"target","method":"DELETE","path":"\/mcp","status":200/);
    expect(trace).toContain('"kind":"stdio.noise","seq":');
    expect(trace).toContain('"raw":{"dir":"in","text":"hello"}');
  });

  it('returns the responses even if stdin closes right after the requests', async () => {
    const target = await everythingOver('streamable-http');
    const input = [initializeAs('ada'), initialized, request(1, 'tools/list'), ''].join('\n');
    const { code, stdout } = await new Place().run([...flags, ...target.flags], { input });
    await target.stop();
    expect(code).toBe(0);
    const answers = stdout.split('\n').filter((line) => line.includes('"result"'));
    expect(answers.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([0, 1]);
  });

  it('returns an error for an unreachable server, and exits with 0 when stdin closes', async () => {
    const target = await everythingOver('streamable-http');
    await target.stop();
    const running = new Place().start([...flags, ...target.flags]);
    running.write(`${initializeAs('ada')}\n`);
    await running.sent('"id":0');
    running.end();
    const { code, stdout } = await running.ended;
    expect(JSON.parse(stdout)).toMatchObject({ id: 0, error: { code: -32000 } });
    expect(code).toBe(0);
  });

  it('exits when the SSE stream of the server ends', async () => {
    const target = await everythingOver('sse');
    const running = new Place().start([...flags, ...target.flags]);
    running.write(`${initializeAs('ada')}\n`);
    await running.sent('"id":0');
    await target.stop();
    const { code, stderr } = await running.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: .+$/m);
  });
});
