import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { PassThrough, type Readable, type Writable } from 'node:stream';

export interface TargetProcessOptions {
  readonly command: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
  readonly platform: string;
  /** As `process.kill`: a negative number stands for a group of processes. */
  readonly kill: (pid: number, signal: NodeJS.Signals) => unknown;
  /** Ends a process on Windows with all that it started, and resolves with whether that worked; `taskkill` if absent. */
  readonly killTree?: ((pid: number) => Promise<boolean>) | undefined;
}

/** A stdio server that runs, or could not be started. */
export interface TargetProcess {
  /** Absent where it could not be started. Its group, where there are groups, has the same number. */
  readonly pid?: number | undefined;
  readonly stdin: Writable;
  /** Its outputs give nothing, and lose nothing, until `release` is called. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  release(): void;
  /** Resolves when the process has ended, or could not be started; its streams may still hold output. */
  readonly exited: Promise<ExitStatus>;
  /**
   * Sends a signal to the process alone, or to its group as well: the processes that it started. On Windows, which has
   * neither, it ends the server's input, and kills it with all that it started a moment later, or at once on SIGKILL.
   */
  signal(signal: NodeJS.Signals, reach: 'process' | 'group'): void;
}

/** How a process ended, as a shell would tell it. */
export interface ExitStatus {
  /** Its exit code; 128 and the signal's number if it was killed; 127 if it could not be started. */
  readonly code: number;
  readonly signal?: string | undefined;
  /** Why it could not be started. */
  readonly startError?: string | undefined;
}

/** Starts a stdio server. Whether that works is told by `exited`. */
export async function startTarget(start: TargetProcessOptions): Promise<TargetProcess> {
  const { command, env, cwd, platform, kill } = start;
  const [program = '', ...args] = command;
  const isWindows = platform === 'win32';
  const options: SpawnOptions = {
    env: { ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    // A group of its own: it can be ended with all that it started, and a Ctrl-C reaches it once, from us.
    detached: !isWindows,
  };
  try {
    if (isWindows) return await startOnWindows(program, args, options, start);
    const child = spawn(program, args, options);
    return running(child, (signal, reach) => {
      if (reach === 'process') child.kill(signal);
      else signalGroup(child, signal, kill);
    });
  } catch (error) {
    // Node tells of some failures later, and throws others at once.
    return neverStarted(error as NodeJS.ErrnoException);
  }
}

/** Loaded there only: elsewhere it would slow down the start of every server. */
async function startOnWindows(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  { env, killTree }: TargetProcessOptions,
): Promise<TargetProcess> {
  const [{ spawnOnWindows }, { WindowsEnd, killTreeOnWindows }] = await Promise.all([
    import('./windows-spawn.ts'),
    import('../windows-end.ts'),
  ]);
  const child = spawnOnWindows(program, args, options);
  const end = new WindowsEnd(child, killTree ?? ((pid) => killTreeOnWindows(pid, env)));
  const target = running(child, (signal) => end.signal(signal));
  const killed: ExitStatus = { code: 128 + constants.signals.SIGKILL, signal: 'SIGKILL' };
  const exited = target.exited.then((status) => (end.isForced && status.startError === undefined ? killed : status));
  return { ...target, exited };
}

function running(child: ChildProcess, signal: TargetProcess['signal']): TargetProcess {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('it has no pipes');
  // Node throws away what nobody listens to once a process has ended, unless somebody waits to read it.
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
    exited: exitOf(child),
    signal,
  };
}

function waitToRead(): void {
  // Whoever listens for data reads it later.
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals, kill: TargetProcessOptions['kill']): void {
  try {
    if (child.pid !== undefined) kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

function exitOf(child: ChildProcess): Promise<ExitStatus> {
  return new Promise((resolve) => {
    // On every error, not the first alone: each signal that a process of another user does not take is one.
    child.on('error', (error: NodeJS.ErrnoException) => {
      // On Windows cmd.exe was started, and it was cmd.exe that did not find the program.
      if (child.pid === undefined || error.syscall?.startsWith('spawn')) resolve(startFailure(error));
    });
    child.once('exit', (code, signal) => {
      if (signal === null) resolve({ code: code ?? 0 });
      else resolve({ code: 128 + constants.signals[signal], signal });
    });
  });
}

function neverStarted(error: NodeJS.ErrnoException): TargetProcess {
  const nothing = (): PassThrough => new PassThrough().end();
  const exited = Promise.resolve(startFailure(error));
  const release = (): void => undefined;
  return { stdin: nothing(), stdout: nothing(), stderr: nothing(), release, exited, signal: () => undefined };
}

function startFailure({ code, message }: NodeJS.ErrnoException): ExitStatus {
  const notFound = code === 'ENOENT' || code === 'ENOTDIR';
  if (notFound) return { code: 127, startError: 'not found (the program, or the folder to run it in)' };
  return { code: 127, startError: code === 'EACCES' ? 'permission denied' : message };
}
