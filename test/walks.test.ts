import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { ListenerDeps, StdioDeps } from '../src/capture/capture-options.ts';
import type { IdleQueue as Queue } from '../src/proxy/http/idle-queue.ts';
import { notLinux, unless } from './support/unless.ts';

/** The calls that led to a call: `folder/file.ts function`, the first one first. */
type Walk = readonly string[];

const walks = vi.hoisted(() => ({ toDisk: [] as { bytes: string; walk: readonly string[] }[] }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const writeSync = (
    descriptor: number,
    bytes: Uint8Array | string,
    offset = 0,
    length?: number,
    position?: number,
  ): number => {
    const end = length === undefined ? undefined : offset + length;
    walks.toDisk.push({ bytes: Buffer.from(bytes).subarray(offset, end).toString(), walk: callers() });
    if (typeof bytes === 'string') return fs.writeSync(descriptor, bytes);
    return fs.writeSync(descriptor, bytes, offset, length, position);
  };
  return { ...fs, writeSync };
});

// Other test files of this process may have loaded these modules already, without the mock.
vi.resetModules();
const { captureHttp } = await import('../src/capture/http/http-capture.ts');
const { captureStdio } = await import('../src/capture/stdio/stdio-capture.ts');
const { IdleQueue } = await import('../src/proxy/http/idle-queue.ts');
const { startTarget } = await import('../src/transport/process/target-process.ts');

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const folder = mkdtempSync(join(tmpdir(), 'mcpreel-walks-'));

beforeEach(() => {
  walks.toDisk.length = 0;
  Error.stackTraceLimit = 60;
  onTestFinished(() => {
    Error.stackTraceLimit = 10;
    rmSync(folder, { recursive: true, force: true });
  });
});

/** The unbroken chain of functions of `src` that led here, apart from what the test itself puts before it. */
function callers(): Walk {
  const frames = (new Error().stack ?? '').split('\n').map((frame) => /at (?:(.*) \()?.*\/src\/(.*?\.ts):/.exec(frame));
  const start = frames.findIndex((match) => match !== null);
  const end = frames.findIndex((match, at) => at > start && match === null);
  return frames
    .slice(start, end < 0 ? undefined : end)
    .map((match) => `${match?.[2]} ${match?.[1] ?? 'anonymous'}`)
    .reverse();
}

/** The files of a walk, each once in a row. */
function filesOf(walk: Walk): string[] {
  const files = walk.map((call) => call.slice(0, call.indexOf(' ')));
  return files.filter((file, at) => file !== files[at - 1]);
}

/** The files that the numbered list after this text in ARCHITECTURE.md starts its lines with. */
function documented(title: string): string[] {
  const architecture = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
  const [, after = ''] = architecture.split(title);
  const [list = ''] = after.split(/\n\n(?=\D)/);
  return [...list.matchAll(/^\d+\. `(.*?)`/gm)].map(([, file = '']) => file);
}

function folderChanges(walk: Walk): number {
  const folders = walk.map((call) => call.slice(0, call.indexOf('/')));
  return folders.filter((name, at) => at > 0 && name !== folders[at - 1]).length;
}

function walksOfPing(count: number): Walk[] {
  const written = walks.toDisk.filter(({ bytes }) => bytes.includes('"method":"ping"'));
  expect(written).toHaveLength(count);
  return written.map(({ walk }) => walk);
}

const sessionDeps = {
  env: process.env,
  platform: 'linux',
  pid: process.pid,
  stateFolder: folder,
  version: '0.0.0',
  nowMs: Date.now,
  newId: () => '00000000-0000-4000-8000-000000000000',
  note: (line: string) => expect.unreachable(line),
};

it(
  'takes a message on stdio to the journal in at most 11 calls, and from there to the trace in 15',
  unless(notLinux),
  async () => {
    const command = [process.execPath, '-e', 'process.stdin.resume()'];
    const stdin = new PassThrough();
    const deps: StdioDeps = {
      ...sessionDeps,
      mayJournal: true,
      stdin,
      stdout: new PassThrough().resume(),
      closeStdin: () => true,
      closeStdout: () => undefined,
      stderr: new PassThrough().resume(),
      startTarget: () =>
        startTarget({ command, cwd: undefined, env: process.env, platform: process.platform, kill: process.kill }),
      hasTerminal: false,
      parentIsGone: () => false,
      onSignal: () => () => undefined,
    };
    const captured = captureStdio({ command, metadata: {}, env: {} }, deps);
    stdin.write(`${PING}\n`);
    const [toJournal = [], toTrace = []] = await vi.waitFor(() => walksOfPing(2), { interval: 1, timeout: 20_000 });
    stdin.end();
    await captured;

    // The last call is that of `writeSync`.
    for (const [walk, calls] of [
      [toJournal, 11],
      [toTrace, 15],
    ] as const) {
      expect(walk.length + 1, walk.join('\n')).toBeLessThanOrEqual(calls);
      expect(folderChanges(walk), walk.join('\n')).toBeLessThanOrEqual(4);
    }
    expect(filesOf(toJournal)).toEqual(documented('Over stdio, 11 calls'));
    expect(filesOf(toTrace)).toEqual(documented('Later, 15 calls'));
  },
);

it('takes a message in an HTTP body from its last byte to the trace in at most 14 calls', async () => {
  const toQueue: Walk[] = [];
  const addLong = IdleQueue.prototype.addLong;
  vi.spyOn(IdleQueue.prototype, 'addLong').mockImplementation(function (this: Queue, ...work) {
    toQueue.push(callers());
    addLong.apply(this, work);
  });
  const server = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let onUrl: (url: string) => void = () => undefined;
  const listening = new Promise<string>((resolve) => {
    onUrl = resolve;
  });
  const deps: ListenerDeps = {
    ...sessionDeps,
    stopped,
    onSignal: () => () => undefined,
    onListening: (url) => onUrl(url),
  };
  const target = { transport: 'streamable-http', url: new URL(`http://127.0.0.1:${port}/mcp`), headers: [] } as const;
  const listen = { transport: 'streamable-http', host: '127.0.0.1', port: 0 } as const;
  const captured = captureHttp({ target, listen, metadata: {} }, deps);
  await fetch(await listening, { method: 'POST', body: PING, headers: { 'content-type': 'application/json' } });
  const [walk = []] = await vi.waitFor(() => walksOfPing(1), { interval: 1 });
  stop();
  await captured;

  // The first work in the queue is the chunk of the request.
  const [queued = []] = toQueue;
  expect(queued.at(-1)).toContain('requestChunk');
  // The calls of `addLong`, which queues the chunk, and of `writeSync` end the two parts.
  expect(queued.length + 1 + walk.length + 1, [...queued, ...walk].join('\n')).toBeLessThanOrEqual(14);
  expect(folderChanges([...queued, ...walk])).toBeLessThanOrEqual(6);
  expect(filesOf([...queued, ...walk])).toEqual(documented('Over HTTP, 14 calls'));
});
