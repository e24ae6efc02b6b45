import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { startProxy } from '../support/http-proxy.ts';
import type { McpreelProcess } from '../support/mcpreel-process.ts';
import type { Place } from '../support/place.ts';
import { connectV1 } from '../support/sdk-clients.ts';

const server = fileURLToPath(new URL('changing-server.mjs', import.meta.url));

/** A tool call to the changing server. */
export type ToolCall = readonly [tool: string, args?: Readonly<Record<string, unknown>>];

export interface Recorded {
  readonly process: McpreelProcess;
  /** Ends the session; its trace remains. */
  end(): Promise<void>;
}

/** Records calls to the changing server on stdio with these arguments; the session stays open. */
export async function recordProgram(
  place: Place,
  calls: readonly ToolCall[],
  { flags = [], words = [] }: { flags?: readonly string[]; words?: readonly string[] } = {},
): Promise<Recorded> {
  const session = place.start([...flags, '--', process.execPath, server, 'stdio', ...words]);
  const say = (message: object): void => session.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1.0.0' };
  say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  await session.sent('"id":0,');
  say({ method: 'notifications/initialized' });
  for (const [index, [name, args = {}]] of calls.entries()) {
    say({ id: index + 1, method: 'tools/call', params: { name, arguments: args } });
    await session.sent(`"id":${index + 1},`);
  }
  return {
    process: session,
    async end() {
      session.end();
      await session.ended;
    },
  };
}

/** Records calls to the changing server over HTTP. */
export async function recordAddress(place: Place, calls: readonly ToolCall[]): Promise<Recorded> {
  const child = spawn(process.execPath, [server, 'http'], { cwd: place.folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.stdin.end();
    await ended;
  });
  const [address] = (await once(child.stdout, 'data')) as [Buffer];
  const proxy = await startProxy(place, ['--target-url', address.toString().trim()], null);
  const client = await connectV1({ url: proxy.url, transport: 'streamable-http' });
  for (const [name, args = {}] of calls) await client.call(name, args);
  await client.leave();
  return {
    process: proxy.process,
    async end() {
      await proxy.stop();
    },
  };
}

/** The pids of the changing server's processes, in order. */
export function started(place: Place): number[] {
  return place.read('pids').trim().split('\n').map(Number);
}

/** Whether a process is running; a zombie does not count. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
