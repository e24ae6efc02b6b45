import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { captureBridge } from '../../src/capture/bridge/bridge-capture.ts';
import type { StdioDeps } from '../../src/capture/capture-options.ts';
import { captureHttp } from '../../src/capture/http/http-capture.ts';
import type { TargetChoice } from '../../src/transport/outbound/connect-target.ts';
import { startTarget } from '../../src/transport/process/target-process.ts';
import { RawPeer } from '../http/raw-peers.ts';
import { Screen } from '../intercept/screen.ts';
import { Place } from '../support/place.ts';
import { rawHttpServer } from '../support/raw-http-server.ts';

const MAX_WAITING = 20_000;
const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

interface Limited {
  readonly url: string;
  readonly screen: Screen;
  readonly notes: readonly string[];
  /** Posts a held message whose body has this length. */
  post(length: number, more?: RequestInit): Promise<Response>;
  /** Posts a message that is not held. */
  list(): Promise<Response>;
}

/** A session in this process, in which few bytes of requests may wait, and every ping is held. */
async function limited(target: TargetChoice, timeoutMs?: number): Promise<Limited> {
  const place = new Place();
  const notes: string[] = [];
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort').then(() => undefined);
  const ports = new EventEmitter();
  const listening = once(ports, 'listening');
  const command = target.transport === 'stdio' ? target.command : [];
  const deps: StdioDeps & { readonly onListening: (url: string) => void } = {
    ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough().resume() },
    ...{ env: process.env, platform: process.platform, pid: process.pid, stateFolder: place.home, version: '0.0.0' },
    ...{ nowMs: Date.now, newId: () => crypto.randomUUID(), onSignal: () => () => undefined },
    ...{ hasTerminal: false, parentIsGone: () => false, closeStdin: () => true, closeStdout: () => undefined },
    note: (line) => notes.push(line),
    stopped,
    onListening: (at) => void ports.emit('listening', at),
    startTarget: () =>
      startTarget({ command, cwd: undefined, env: process.env, platform: process.platform, kill: process.kill }),
  };
  const listen = { transport: 'streamable-http', host: '127.0.0.1', port: 0, maxWaitingBytes: MAX_WAITING } as const;
  const interception = { timeoutMs };
  const options = { metadata: {}, traceFile: place.path('t.jsonl'), interception, listen, maxMessageBytes: 15_000 };
  const captured =
    target.transport === 'stdio'
      ? captureBridge({ ...options, target }, deps)
      : captureHttp({ ...options, target }, deps);
  onTestFinished(async () => {
    stopping.abort();
    await captured;
  });
  const [url] = (await listening) as [string];
  const screen = await Screen.open(place);
  await screen.hold('method:ping dir:>');
  let session: Record<string, string> = {};
  const send = (body: string, more: RequestInit = {}): Promise<Response> =>
    fetch(url, { method: 'POST', body, headers: { ...HEADERS, ...session }, ...more });
  if (target.transport === 'stdio') {
    const begun = await send(
      message(
        'initialize',
        ',"params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}',
      ),
    );
    session = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
    await begun.text();
  }
  return {
    url,
    screen,
    notes,
    post: (length, more) => send(pingOf(length), more),
    list: () => send(message('tools/list', '')),
  };
}

let ids = 0;

function message(method: string, more: string): string {
  return `{"jsonrpc":"2.0","id":${++ids},"method":"${method}"${more}}`;
}

function pingOf(length: number): string {
  const head = message('ping', ',"params":{"x":"');
  return `${head}${'x'.repeat(length - head.length - 3)}"}}`;
}

async function answeringTarget(): Promise<TargetChoice> {
  const { url } = await rawHttpServer(({ body }, response) => {
    const [, id = 'null'] = /"id":(\d+)/.exec(body) ?? [];
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  });
  return { transport: 'streamable-http', url, headers: [] };
}

/** Answers every request with an empty result. */
const ANSWERING = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
})`;
const program: TargetChoice = { transport: 'stdio', command: [process.execPath, '-e', ANSWERING], env: {} };

describe.each([
  ['to a server over HTTP', answeringTarget],
  ['to a program behind a bridge', async () => program],
])('requests %s', (_, target) => {
  it('counts waiting requests, answers others with 503 beyond the limit, and serves short ones', async () => {
    const { post, list, screen, notes } = await limited(await target());
    const first = post(12_000);
    const held = await screen.nextHeld();
    for (let n = 0; n < 3; n++) {
      const refused = await post(12_000);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      await refused.text();
      expect((await list()).status).toBe(200);
    }
    expect(notes.filter((line) => line.includes('others get 503'))).toHaveLength(1);
    await screen.live.decide(held.id, { action: 'forward' });
    expect((await first).status).toBe(200);
    const next = post(12_000);
    await screen.live.decide((await screen.nextHeld()).id, { action: 'forward' });
    expect((await next).status).toBe(200);
  });

  it('no longer counts requests that were answered, dropped, edited or left by their client', async () => {
    const { post, screen } = await limited(await target());
    const text = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const ends = [
      { action: 'drop' },
      { action: 'answer', result: '{}' },
      { action: 'edit', text },
      { action: 'forward' },
    ] as const;
    for (const end of [...ends, 'leave', ...ends, 'leave'] as const) {
      const leaving = new AbortController();
      const sent = post(12_000, { signal: leaving.signal }).then(
        (response) => response.status,
        () => 'left',
      );
      // Beyond the limit, it would get 503 and not be held.
      const held = await screen.nextHeld();
      if (end === 'leave') {
        leaving.abort();
        // Behind a bridge, a conversation continues without the connection that a message came on.
        await screen.live.decide(held.id, { action: 'drop' }).catch(() => undefined);
      } else await screen.live.decide(held.id, end.action === 'edit' ? { ...end, text: edited(held.text, text) } : end);
      await screen.releaseOf(held);
      // A dropped request is not answered, whatever the transport.
      if (end !== 'leave' && end.action === 'drop') leaving.abort();
      expect(await sent).not.toBe(503);
    }
  });

  it('no longer counts requests whose hold has timed out', async () => {
    const { post, screen } = await limited(await target(), 1);
    for (let n = 0; n < 4; n++) {
      const response = await post(12_000);
      expect(response.status).toBe(200);
      await response.body?.cancel();
      await screen.releaseOf(await screen.nextHeld());
    }
  });

  it('does not count requests that are too long, not JSON or cut off', async () => {
    const { url, post, screen } = await limited(await target());
    for (let n = 0; n < 4; n++) {
      await fetch(url, { method: 'POST', body: 'x'.repeat(12_000), headers: HEADERS }).then((response) =>
        response.text(),
      );
      await fetch(url, { method: 'POST', body: 'x'.repeat(18_000), headers: HEADERS }).then(
        (response) => response.text(),
        () => undefined,
      );
      const peer = await RawPeer.to(url);
      const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream`;
      await peer.write(`${head}\r\nContent-Length: 19000\r\n\r\n${'x'.repeat(12_000)}`);
      peer.socket.destroy();
      await peer.closed;
    }
    const held = screen.nextHeld().then(() => 'held');
    // The server notices only later that a client has left.
    await expect
      .poll(async () => {
        const leaving = new AbortController();
        const status = post(12_000, { signal: leaving.signal }).then((response) => response.status);
        const first = await Promise.race([status, held]);
        leaving.abort();
        await status.catch(() => undefined);
        return first;
      })
      .toBe('held');
  });
});

/** The text for an edit, with the id of the held message. */
function edited(held: string, text: string): string {
  return text.replace('"id":1', `"id":${/"id":(\d+)/.exec(held)?.[1]}`);
}

it('a client that sends far more than may wait reads its 503', async () => {
  const { url } = await limited(await answeringTarget());
  const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json`;
  for (let n = 0; n < 5; n++) {
    const peer = await RawPeer.to(url);
    void peer.write(`${head}\r\nContent-Length: 8000000\r\n\r\n${'x'.repeat(8_000_000)}`);
    const { start, fields } = await peer.message();
    expect(start).toContain('503');
    expect(fields).toContainEqual(['Retry-After', '1']);
  }
});
