import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { sessionOf } from '../../test/support/replay/sample-talk.ts';
import { startTarget, type TargetProcess } from '../transport/process/target-process.ts';
import { EarlyTarget } from './early-target.ts';

const SESSION = sessionOf(['>', { id: 1, method: 'ping' }, '<', { id: 1, result: {} }]);

/** Starts programs that run the given scripts, in order. */
function starting(...scripts: readonly string[]): { start: () => Promise<TargetProcess>; count: () => number } {
  let count = 0;
  const start = (): Promise<TargetProcess> => {
    const script = scripts[Math.min(count++, scripts.length - 1)] ?? '';
    const command = [process.execPath, '-e', script];
    return startTarget({
      command,
      env: process.env,
      cwd: undefined,
      platform: process.platform,
      kill: (pid, signal) => process.kill(pid, signal),
    });
  };
  return { start, count: () => count };
}

async function read(early: EarlyTarget, session = SESSION): Promise<void> {
  for await (const _ of early.startWith(session).batches());
}

describe('a server that is started while its recording is read', () => {
  it('hands the server to the first caller only', async () => {
    const { start, count } = starting('process.stdin.resume()');
    const early = new EarlyTarget(start);
    await read(early);
    expect(count()).toBe(1);
    const [first, second] = [await early.take(), await early.take()];
    expect(count()).toBe(2);
    expect(second.pid).not.toBe(first.pid);
    for (const { stdin } of [first, second]) stdin.end();
    expect(await Promise.all([first.exited, second.exited])).toEqual([{ code: 0 }, { code: 0 }]);
  });

  it('does not start a server for a session that has nothing to send', async () => {
    const { start, count } = starting('');
    const early = new EarlyTarget(start);
    await read(early, sessionOf(['<', { id: 1, method: 'roots/list' }, '>', { id: 1, result: { roots: [] } }]));
    await early.close();
    expect(count()).toBe(0);
  });

  it('stops a server that is not used', async () => {
    const { start } = starting('process.stdin.resume(); console.log()');
    const processes: TargetProcess[] = [];
    const early = new EarlyTarget(async () => {
      const target = await start();
      processes.push(target);
      return target;
    });
    await read(early);
    await vi.waitUntil(() => processes.length === 1);
    await once(processes[0]?.stdout as Readable, 'readable');
    await early.close();
    expect(await processes[0]?.exited).toEqual({ code: 0 });
  });

  it('starts a server again if it has exited', async () => {
    const { start, count } = starting('process.exit(3)', 'process.stdin.resume()');
    let first: Promise<unknown> | undefined;
    const early = new EarlyTarget(async () => {
      const target = await start();
      first ??= target.exited;
      return target;
    });
    await read(early);
    await vi.waitUntil(() => first !== undefined);
    await first;
    await new Promise(setImmediate);
    const target = await early.take();
    expect(count()).toBe(2);
    target.stdin.end();
    expect(await target.exited).toEqual({ code: 0 });
  });
});
