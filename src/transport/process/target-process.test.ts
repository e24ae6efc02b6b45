import { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { skipOnWindows } from '../../../test/support/unless.ts';
import { startTarget } from './target-process.ts';

it('keeps the output of a server that exited before its streams were read', async () => {
  const script = 'process.stdout.write("x".repeat(100_000)); process.stderr.write("y")';
  const { env, platform, kill } = process;
  const target = await startTarget({ command: [process.execPath, '-e', script], env, cwd: undefined, platform, kill });
  expect(await target.exited).toEqual({ code: 0 });
  await new Promise(setImmediate);
  const sent = Promise.all([buffer(target.stdout), buffer(target.stderr)]);
  target.release();
  expect((await sent).map(({ length }) => length)).toEqual([100_000, 1]);
});

it(
  'keeps running however many signals to the server fail with EPERM',
  skipOnWindows('Windows has no signals'),
  async () => {
    // As Node does when the process now is owned by another user, for example under sudo.
    const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockImplementation(function (this: ChildProcess) {
      this.emit('error', Object.assign(new Error('kill EPERM'), { code: 'EPERM' }));
      return false;
    });
    onTestFinished(() => kill.mockRestore());
    const { env, platform } = process;
    const command = [process.execPath, '-e', 'process.stdin.resume()'];
    const target = await startTarget({ command, env, cwd: undefined, platform, kill: process.kill });
    for (let times = 0; times < 3; times++) target.signal('SIGINT', 'process');
    target.stdin.end();
    expect(await target.exited).toEqual({ code: 0 });
  },
);

it('reports a program that cannot start because there are too many open files', async () => {
  // As Node does: it returns before it creates pipes, and emits the error later.
  const spawn = vi
    .spyOn(ChildProcess.prototype as unknown as { spawn: () => number }, 'spawn')
    .mockImplementation(function (this: ChildProcess) {
      process.nextTick(() => this.emit('error', Object.assign(new Error('spawn node EMFILE'), { code: 'EMFILE' })));
      return -24;
    } as () => number);
  onTestFinished(() => spawn.mockRestore());
  const { env, platform, kill } = process;
  const target = await startTarget({ command: ['node'], env, cwd: undefined, platform, kill });
  expect(await target.exited).toEqual({ code: 127, startError: 'Cannot start "node": too many open files' });
});

it('reports a program that cmd.exe cannot find as never started', async () => {
  // As cross-spawn does: the process is cmd.exe, and an error replaces its exit event.
  const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockImplementation(function (this: ChildProcess) {
    this.emit('error', Object.assign(new Error('spawn nosuch ENOENT'), { code: 'ENOENT', syscall: 'spawn nosuch' }));
    return false;
  });
  const { env } = process;
  const command = [process.execPath, '-e', 'process.stdin.resume()'];
  const killTree = async (): Promise<boolean> => false;
  const target = await startTarget({ command, env, cwd: undefined, platform: 'win32', kill: process.kill, killTree });
  onTestFinished(() => {
    kill.mockRestore();
    target.stdin.end();
  });
  target.signal('SIGKILL', 'process');
  expect(await target.exited).toEqual({
    code: 127,
    startError: expect.stringMatching(/^Cannot start ".*": command not found$/),
  });
});

it('reports the exit status of a killed process when a server on Windows has to be killed', async () => {
  const { env, kill } = process;
  const deaf = 'process.stdin.resume(); setInterval(() => {}, 1000); console.log()';
  const killTree = async (pid: number): Promise<boolean> => kill(pid);
  const command = [process.execPath, '-e', deaf];
  const target = await startTarget({ command, env, cwd: undefined, platform: 'win32', kill, killTree });
  await once(target.stdout, 'readable');
  target.signal('SIGKILL', 'group');
  expect(await target.exited).toEqual({ code: 137, signal: 'SIGKILL' });
});

it('reports the exit code of a server on Windows that exits when its stdin closes', async () => {
  const { env, kill } = process;
  const script = 'process.stdin.resume().on("end", () => process.exit(5)); console.log()';
  const command = [process.execPath, '-e', script];
  const killTree = async (): Promise<boolean> => false;
  const target = await startTarget({ command, env, cwd: undefined, platform: 'win32', kill, killTree });
  await once(target.stdout, 'readable');
  target.signal('SIGINT', 'process');
  expect(await target.exited).toEqual({ code: 5 });
});
