import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import type { McpreelProcess } from '../support/mcpreel-process.ts';
import { Place } from '../support/place.ts';
import { parseTrace } from '../support/recordings.ts';
import { notLinux, unless, without } from '../support/unless.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"3"}]}}';

const EXCHANGES = isLongRun ? 10_000 : 600;
const STREAMS = isLongRun ? 200 : 20;

/** How much the process may grow after warm-up; only long runs make enough exchanges to measure it. */
const GROWTH_MB = isLongRun ? 8 : Number.POSITIVE_INFINITY;

/** With this heap, a leak of a few kilobytes per exchange soon crashes the process. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=32 --max-semi-space-size=1' };

interface Target {
  readonly url: string;
  readonly streams: Set<ServerResponse>;
}

/** A server that answers calls and keeps streams open after their first event. It is stopped after the test. */
async function openTarget(): Promise<Target> {
  const streams = new Set<ServerResponse>();
  const server: Server = createServer((requested, response) => {
    requested.resume();
    if (requested.method === 'POST') {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': RESULT.length });
      response.end(RESULT);
      return;
    }
    streams.add(response);
    response.once('close', () => streams.delete(response));
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, streams };
}

/** A running mcpreel whose handles and memory are measured. */
class Watched {
  readonly url: string;
  readonly place: Place;
  readonly process: McpreelProcess;

  private constructor(url: string, place: Place, process: McpreelProcess) {
    this.url = url;
    this.place = place;
    this.process = process;
  }

  static async start(target: string): Promise<Watched> {
    const place = new Place();
    const args = ['proxy', 'start', '--target-url', target, '--listen-port', '0', '--trace-file', 'trace.jsonl'];
    const process = place.start(args, SMALL_HEAP);
    const [, url = ''] = await process.noted(/^mcpreel: Listening on (\S+)/m);
    // mcpreel opens its control socket a little later, and it counts as a handle.
    await vi.waitFor(() => expect(readdirSync(place.path('home/live')).join()).toContain('.sock'));
    return new Watched(url, place, process);
  }

  get handles(): number {
    return readdirSync(`/proc/${this.process.pid}/fd`).length;
  }

  /** In MB. */
  get memory(): number {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  }

  /** Resolves when mcpreel has closed everything it opened; idle connections may stay open for a few seconds. */
  async settled(handles: number): Promise<void> {
    await vi.waitFor(() => expect(this.handles).toBe(handles), { interval: 50 });
  }
}

/** Makes calls one after the other on one connection. */
async function makeCalls(url: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let made = 0; made < count; made++) {
    const requested = request(url, { agent, method: 'POST', headers: { 'Content-Type': 'application/json' } });
    requested.end(CALL);
    const [answer] = (await once(requested, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    if (text !== RESULT) throw new Error(`Not the answer: ${text}`);
  }
  agent.destroy();
}

/** Opens streams, and resolves when each has received its first event. */
async function openStreams(url: string, count: number): Promise<IncomingMessage[]> {
  const open = async (): Promise<IncomingMessage> => {
    const requested = request(url, { agent: false, headers: { Accept: 'text/event-stream' } });
    requested.on('error', () => undefined);
    requested.end();
    const [stream] = (await once(requested, 'response')) as [IncomingMessage];
    stream.on('error', () => undefined);
    await once(stream, 'data');
    return stream;
  };
  return Promise.all(Array.from({ length: count }, open));
}

describe('memory and open handles', unless(notLinux), () => {
  it('thousands of sequential exchanges leak no memory or handles', async () => {
    const { url } = await openTarget();
    const proxy = await Watched.start(url);
    const handles = proxy.handles;
    await makeCalls(proxy.url, EXCHANGES / 5);
    const memory = proxy.memory;
    await makeCalls(proxy.url, (EXCHANGES * 4) / 5);
    expect(proxy.memory - memory).toBeLessThan(GROWTH_MB);
    await proxy.settled(handles);
    proxy.process.signal('SIGINT');
    expect(await proxy.process.ended).toMatchObject({ code: 0 });
    const trace = parseTrace(proxy.place.read('trace.jsonl'));
    expect(trace.messages).toHaveLength(EXCHANGES * 2);
    expect(trace.messages.every(({ answers, direction }) => (direction === 'out') === (answers !== undefined))).toBe(
      true,
    );
    expect(trace.events.filter(({ kind }) => kind === 'http.exchange')).toHaveLength(EXCHANGES);
  }, 60_000);

  it('many concurrent streams leak no memory or handles', async () => {
    const { url, streams } = await openTarget();
    const proxy = await Watched.start(url);
    const handles = proxy.handles;
    let memory = 0;
    for (let round = 0; round < 7; round++) {
      const opened = await openStreams(proxy.url, STREAMS);
      expect(streams.size).toBe(STREAMS);
      // The server ends half of the streams, and the clients end the other half.
      for (const stream of [...streams].slice(0, STREAMS / 2)) stream.end();
      await vi.waitFor(() => expect(opened.filter(({ complete }) => complete)).toHaveLength(STREAMS / 2));
      for (const stream of opened) stream.destroy();
      await vi.waitFor(() => expect(streams.size).toBe(0));
      // The first rounds are warm-up.
      if (round === 2) memory = proxy.memory;
    }
    expect(proxy.memory - memory).toBeLessThan(GROWTH_MB);
    await proxy.settled(handles);
    proxy.process.signal('SIGINT');
    expect(await proxy.process.ended).toMatchObject({ code: 0 });
    const { events } = parseTrace(proxy.place.read('trace.jsonl'));
    const errors = events
      .filter(({ kind }) => kind === 'http.exchange')
      .map(({ raw }) => (raw as { error: unknown }).error);
    expect(errors.filter((error) => error === null)).toHaveLength((STREAMS / 2) * 7);
    expect(errors.filter((error) => error === 'the client left')).toHaveLength((STREAMS / 2) * 7);
  }, 60_000);

  it('reports on stderr, once, that there are too many open files', unless(without('prlimit')), async () => {
    const { url } = await openTarget();
    const proxy = await Watched.start(url);
    const limit = proxy.handles + 9;
    spawnSync('prlimit', ['--pid', String(proxy.process.pid), `--nofile=${limit}:${limit}`]);
    const failing = Array.from({ length: 12 }, () => {
      const requested = request(proxy.url, { agent: false, headers: { Accept: 'text/event-stream' } });
      requested.on('error', () => undefined);
      requested.end();
      return requested;
    });
    await proxy.process.noted(
      /^mcpreel: Too many open files: some connections fail\. Raise the limit with ulimit -n\.$/m,
    );
    for (const requested of failing) requested.destroy();
    proxy.process.signal('SIGINT');
    const { stderr } = await proxy.process.ended;
    expect(stderr.match(/Too many open files/g)).toHaveLength(1);
  });
});
