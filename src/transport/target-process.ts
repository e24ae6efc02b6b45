import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { PassThrough, type Readable, type Writable } from 'node:stream';

export interface TargetProcessOptions {
  readonly command: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
}

/** A stdio server that runs, or could not be started. */
export interface TargetProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process has ended, or could not be started; its streams may still hold output. */
  readonly exited: Promise<ExitStatus>;
  kill(signal: NodeJS.Signals): void;
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
export function startTarget({ command, env, cwd }: TargetProcessOptions): TargetProcess {
  const [program = '', ...args] = command;
  try {
    const child = spawn(program, args, { env: { ...env }, cwd, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    const { stdin, stdout, stderr } = child;
    return { stdin, stdout, stderr, exited: exitOf(child), kill: (signal) => void child.kill(signal) };
  } catch (error) {
    // Node tells of some failures later, and throws others at once.
    return neverStarted(error as NodeJS.ErrnoException);
  }
}

function exitOf(child: ChildProcess): Promise<ExitStatus> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(startFailure(error));
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
  return { stdin: nothing(), stdout: nothing(), stderr: nothing(), exited, kill: () => undefined };
}

function startFailure({ code, message }: NodeJS.ErrnoException): ExitStatus {
  const notFound = code === 'ENOENT' || code === 'ENOTDIR';
  if (notFound) return { code: 127, startError: 'not found (the program, or the folder to run it in)' };
  return { code: 127, startError: code === 'EACCES' ? 'permission denied' : message };
}
