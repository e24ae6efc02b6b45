import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, type Mock, vi } from 'vitest';
import { type EndedProcess, type KillTree, WindowsEnd } from './windows-end.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class SampleProcess extends EventEmitter {
  readonly pid = 7;
  exitCode: number | null = null;
  readonly signalCode = null;
  readonly stdin: PassThrough = new PassThrough();
  readonly kill: Mock<EndedProcess['kill']> = vi.fn(() => true);

  exit(): void {
    this.exitCode = 0;
    this.emit('exit', 0, null);
  }
}

function endOf(treeWorks = true): { child: SampleProcess; killTree: Mock<KillTree>; end: WindowsEnd } {
  const child = new SampleProcess();
  const killTree = vi.fn<KillTree>(async () => treeWorks);
  return { child, killTree, end: new WindowsEnd(child, killTree) };
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const)(
  'closes the stdin of a server on Windows after a %s, and kills its process tree 1.5 s later',
  async (signal) => {
    const { child, killTree, end } = endOf();
    end.signal(signal);
    expect(child.stdin.writableEnded).toBe(true);
    await vi.advanceTimersByTimeAsync(1499);
    expect(killTree).not.toHaveBeenCalled();
    expect(end.isForced).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(killTree.mock.calls).toEqual([[7]]);
    expect(child.kill).not.toHaveBeenCalled();
    expect(end.isForced).toBe(true);
  },
);

it('kills a server on Windows only once after SIGKILL', async () => {
  const { killTree, end } = endOf();
  end.signal('SIGTERM');
  end.signal('SIGKILL');
  end.signal('SIGKILL');
  end.signal('SIGTERM');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(killTree).toHaveBeenCalledOnce();
});

it('kills the process itself if its process tree cannot be killed', async () => {
  const { child, end } = endOf(false);
  end.signal('SIGKILL');
  await vi.advanceTimersByTimeAsync(0);
  expect(child.kill.mock.calls).toEqual([['SIGKILL']]);
});

it('sends no signal after a server has exited by itself, since its pid may be reused', async () => {
  const { child, killTree, end } = endOf(false);
  end.signal('SIGINT');
  child.exit();
  end.signal('SIGKILL');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(killTree).not.toHaveBeenCalled();
  expect(child.kill).not.toHaveBeenCalled();
  expect(end.isForced).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
