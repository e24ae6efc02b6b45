import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { type Stats, statSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { isOutOfFiles, TOO_MANY_FILES } from '../../model/errors.ts';

export interface TargetProcessOptions {
  readonly command: readonly string[];
  /** The complete environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
  readonly platform: string;
  /** Like `process.kill`: a negative pid addresses a process group. */
  readonly kill: (pid: number, signal: NodeJS.Signals) => unknown;
  /** Kills a process tree on Windows. Resolves with whether that worked; `taskkill` if absent. */
  readonly killTree?: ((pid: number) => Promise<boolean>) | undefined;
}

/** A stdio server's process: running, exited, or failed to start. */
export interface TargetProcess {
  /** Absent if it could not be started. On POSIX, its process group has the same id. */
  readonly pid?: number | undefined;
  readonly stdin: Writable;
  /** Both outputs buffer everything until `release` is called. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  release(): void;
  /** Resolves when the process has exited or could not be started. Its streams may still hold output. */
  readonly exited: Promise<ExitStatus>;
  /**
   * Sends a signal to the process alone, or to its process group as well. Windows has neither. There, this closes the
   * server's stdin, and kills its process tree a moment later, or at once on SIGKILL.
   */
  signal(signal: NodeJS.Signals, reach: 'process' | 'group'): void;
}

/** How a process ended, by the conventions of a shell. */
export interface ExitStatus {
  /** The exit code; 128 plus the signal's number if it was killed; 127 if it could not be started. */
  readonly code: number;
  readonly signal?: string | undefined;
  /** Why it could not be started. */
  readonly startError?: string | undefined;
}

/** Starts a stdio server. A failure is reported by `exited`. */
export async function startTarget(start: TargetProcessOptions): Promise<TargetProcess> {
  const { command, env, cwd, platform, kill } = start;
  const [program = '', ...args] = command;
  const isWindows = platform === 'win32';
  const options: SpawnOptions = {
    env: { ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    // In its own process group, the server can be killed with its children, and gets Ctrl-C only once, from mcpreel.
    detached: !isWindows,
  };
  try {
    if (isWindows) return await startOnWindows(program, args, options, start);
    const child = spawn(program, args, options);
    return running(child, start, (signal, reach) => {
      if (reach === 'process') child.kill(signal);
      else signalGroup(child, signal, kill);
    });
  } catch (error) {
    // Node throws some spawn errors and emits others as events.
    return neverStarted(error as NodeJS.ErrnoException, start);
  }
}

/** Imported only on Windows, because loading it would slow down every start elsewhere. */
async function startOnWindows(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  start: TargetProcessOptions,
): Promise<TargetProcess> {
  const [{ spawnOnWindows }, { WindowsEnd, killTreeOnWindows }] = await Promise.all([
    import('./windows-spawn.ts'),
    import('./windows-end.ts'),
  ]);
  const { env, killTree } = start;
  const child = spawnOnWindows(program, args, options);
  const end = new WindowsEnd(child, killTree ?? ((pid) => killTreeOnWindows(pid, env)));
  const target = running(child, start, (signal) => end.signal(signal));
  const killed: ExitStatus = { code: 128 + constants.signals.SIGKILL, signal: 'SIGKILL' };
  const exited = target.exited.then((status) => (end.isForced && status.startError === undefined ? killed : status));
  return { ...target, exited };
}

function running(child: ChildProcess, start: TargetProcessOptions, signal: TargetProcess['signal']): TargetProcess {
  const { stdin, stdout, stderr } = child;
  // Listens first, because an error without a listener would end mcpreel.
  const exited = exitOf(child, start);
  // Without free file descriptors, Node creates no pipes, and leaves these properties undefined.
  if (!stdin || !stdout || !stderr) return withoutPipes(exited);
  // After a process exits, Node discards unread output, unless the stream has a `readable` listener.
  const outputs = [stdout, stderr];
  for (const output of outputs) output.on('readable', waitToRead);
  return {
    pid: child.pid,
    stdin,
    stdout,
    stderr,
    release() {
      for (const output of outputs) output.off('readable', waitToRead);
    },
    exited,
    signal,
  };
}

function waitToRead(): void {
  // The `data` listener that is attached later reads it.
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals, kill: TargetProcessOptions['kill']): void {
  try {
    if (child.pid !== undefined) kill(-child.pid, signal);
  } catch {
    // The group no longer exists.
  }
}

function exitOf(child: ChildProcess, start: TargetProcessOptions): Promise<ExitStatus> {
  return new Promise((resolve) => {
    // Listens for every error, not only the first: each signal that fails for lack of permission is one.
    child.on('error', (error: NodeJS.ErrnoException) => {
      // On Windows, cmd.exe did start, and then reported that the program was not found.
      if (child.pid === undefined || error.syscall?.startsWith('spawn')) resolve(startFailure(error, start));
    });
    child.once('exit', (code, signal) => {
      if (signal === null) resolve({ code: code ?? 0 });
      else resolve({ code: 128 + constants.signals[signal], signal });
    });
  });
}

function neverStarted(error: NodeJS.ErrnoException, start: TargetProcessOptions): TargetProcess {
  return withoutPipes(Promise.resolve(startFailure(error, start)));
}

function withoutPipes(exited: Promise<ExitStatus>): TargetProcess {
  const nothing = (): PassThrough => new PassThrough().end();
  const release = (): void => undefined;
  return { stdin: nothing(), stdout: nothing(), stderr: nothing(), release, exited, signal: () => undefined };
}

/** Names the program or the working folder, whichever failed: the system reports the same error for both. */
function startFailure(
  error: NodeJS.ErrnoException,
  { command: [program = ''], cwd = '.' }: Pick<TargetProcessOptions, 'command' | 'cwd'>,
): ExitStatus {
  const { code, message } = error;
  const failed = (what: string): ExitStatus => ({ code: 127, startError: `Cannot start "${program}": ${what}` });
  if (isOutOfFiles(error)) return failed(TOO_MANY_FILES);
  const folder = statusOf(cwd);
  if (folder === undefined) return failed(`no such working folder: ${cwd}`);
  if (!folder.isDirectory()) return failed(`the working folder is a file: ${cwd}`);
  if (code === 'ENOENT' || code === 'ENOTDIR') return failed('command not found');
  if (code !== 'EACCES') return failed(message);
  const target = /[\\/]/.test(program) ? statusOf(resolve(cwd, program)) : undefined;
  if (target?.isDirectory()) return failed('is a folder');
  return failed(target === undefined ? 'permission denied' : 'not executable');
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
