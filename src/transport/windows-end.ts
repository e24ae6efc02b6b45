import { type ChildProcess, spawn } from 'node:child_process';
import { win32 } from 'node:path';
import { endsWithin } from './time-limit.ts';

/** What is needed of a process in order to end it. */
export interface EndedProcess extends Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode' | 'stdin' | 'kill'> {
  once(event: 'exit', listener: () => void): unknown;
}

/** Ends a process with all that it started. Resolves with whether that worked; never rejects. */
export type KillTree = (pid: number) => Promise<boolean>;

/** How long a server gets to end by itself after the end of its input. */
const END_OF_INPUT_MS = 1500;
/** How long `taskkill` may take until the process itself is killed without it. */
const TASKKILL_MS = 3000;

/**
 * Ends a server on Windows, where every signal but a Ctrl-C from its own console kills a process at once. A server hears
 * the end of its input instead, and is killed later, or on SIGKILL, with all that it started: behind a `.cmd` file the
 * server is a child of cmd.exe.
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

  /** Whether the process was killed from here. Its exit code says nothing then. */
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
    // Without the tool, or where it fails, at least the process itself ends.
    if (!(await this.#killTree(pid)) && !this.#hasEnded()) this.#child.kill('SIGKILL');
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/** Ends a process tree with the tool of Windows, from the folder of the system: a program in this one might have its name. */
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
