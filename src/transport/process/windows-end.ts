import { type ChildProcess, spawn } from 'node:child_process';
import { win32 } from 'node:path';
import { endsWithin } from '../time-limit.ts';

/** The members of a child process that ending it needs. */
export interface EndedProcess extends Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode' | 'stdin' | 'kill'> {
  once(event: 'exit', listener: () => void): unknown;
}

/** Kills a process tree. Resolves with whether that worked; never rejects. */
export type KillTree = (pid: number) => Promise<boolean>;

/** How long a server has to exit after its stdin is closed. */
const END_OF_INPUT_MS = 1500;
/** How long `taskkill` may take. After that, the process itself is killed directly. */
const TASKKILL_MS = 3000;

/**
 * Ends a server on Windows, where every signal except Ctrl-C from its own console kills a process at once. It closes
 * the server's stdin, and kills the process tree later, or at once on SIGKILL. The tree matters because behind a `.cmd`
 * file the server is a child of cmd.exe.
 */
export class WindowsEnd {
  readonly #child: EndedProcess;
  readonly #killTree: KillTree;
  #timer: NodeJS.Timeout | undefined;
  #isKilling = false;

  constructor(child: EndedProcess, killTree: KillTree) {
    this.#child = child;
    this.#killTree = killTree;
    child.once('exit', () => clearTimeout(this.#timer));
  }

  /** Whether this class killed the process. If so, its exit code is meaningless. */
  get isForced(): boolean {
    return this.#isKilling;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#hasEnded()) return;
    if (signal === 'SIGKILL') return void this.#kill();
    this.#child.stdin?.end();
    this.#timer ??= setTimeout(() => void this.#kill(), END_OF_INPUT_MS);
  }

  async #kill(): Promise<void> {
    clearTimeout(this.#timer);
    const { pid } = this.#child;
    if (this.#isKilling || pid === undefined || this.#hasEnded()) return;
    this.#isKilling = true;
    // If `taskkill` is missing or fails, at least the process itself is killed.
    if (!(await this.#killTree(pid)) && !this.#hasEnded()) this.#child.kill('SIGKILL');
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/**
 * Kills a process tree with `taskkill` from the system folder. The current folder might contain another program of that
 * name.
 */
export async function killTreeOnWindows(
  pid: number,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  let hasWorked = false;
  const ended = new Promise<void>((resolve) => {
    const taskkill = win32.join(env.SystemRoot ?? env.SYSTEMROOT ?? 'C:\\Windows', 'System32', 'taskkill.exe');
    const killer = spawn(taskkill, ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    killer.once('error', () => resolve());
    killer.once('exit', (code) => {
      hasWorked = code === 0;
      resolve();
    });
  });
  await endsWithin(ended, TASKKILL_MS);
  return hasWorked;
}
