import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTarget } from '../../transport/process/target-process.ts';
import type { StdioDeps } from '../capture-options.ts';
import { captureStdio } from './stdio-capture.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** More than an unread stream buffers, and less than all streams and pipes on the way do, on Windows too. */
const SAID_BYTES = 140_000;

/** Deps whose stdout is not read until the test reads it. */
function depsFor(command: readonly string[]): StdioDeps & { readonly stdout: PassThrough; readonly notes: string[] } {
  const notes: string[] = [];
  return {
    stdin: new PassThrough().end(),
    closeStdin: () => true,
    stdout: new PassThrough(),
    closeStdout: () => undefined,
    stderr: new PassThrough(),
    env: process.env,
    // On Windows, the shutdown timers of the server would run too.
    platform: process.platform,
    pid: process.pid,
    startTarget: () =>
      startTarget({ command, cwd: undefined, env: process.env, platform: process.platform, kill: process.kill }),
    hasTerminal: false,
    parentIsGone: () => false,
    stateFolder: folder,
    version: '0.0.0',
    nowMs: Date.now,
    newId: () => '00000000-0000-4000-8000-000000000000',
    onSignal: () => () => undefined,
    note: (line) => notes.push(line),
    notes,
  };
}

it('waits for a slow client before it ends the recording', async () => {
  const script = `process.stdout.write("x".repeat(${SAID_BYTES - 1}) + "\\n")`;
  const command = [process.execPath, '-e', script];
  const deps = depsFor(command);
  const traceFile = join(folder, 'trace.jsonl');
  const captured = captureStdio({ command, metadata: {}, env: {}, traceFile }, deps);
  // The timer starts when the server has exited and some of its output is still unread.
  while (vi.getTimerCount() === 0) await nextTurn();
  await vi.advanceTimersByTimeAsync(60_000);

  const [status, sent] = await Promise.all([captured.finally(() => deps.stdout.end()), buffer(deps.stdout)]);
  expect(status).toBe(0);
  expect(sent).toHaveLength(SAID_BYTES);
  expect(deps.notes).toEqual([]);
  expect(readFileSync(traceFile, 'utf8').split('\n')).toEqual([
    expect.stringContaining('"type":"meta"'),
    expect.stringContaining('"kind":"stdio.noise"'),
    expect.stringContaining('"type":"end"'),
    '',
  ]);
});
