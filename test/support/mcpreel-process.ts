import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The built command under test. */
export const MCPREEL: string = fileURLToPath(new URL('../../dist/mcpreel.cjs', import.meta.url));

/** The result of a finished process. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Stdout as bytes, for output that is not UTF-8. */
  readonly bytes: Buffer;
}

export interface ProcessOptions {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** A running mcpreel process, ended with the test that started it. */
export class McpreelProcess {
  /** Resolves when the process has ended and all of its output was read. */
  readonly ended: Promise<Outcome>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];

  constructor(args: readonly string[], { cwd, env }: ProcessOptions) {
    const child = spawn(process.execPath, [MCPREEL, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    // A test may wait for many lines at once.
    for (const stream of [child.stdout, child.stderr]) stream.setMaxListeners(0);
    child.stdout.on('data', (chunk: Buffer) => this.#stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    // A process that does not read its stdin may exit before everything is written.
    child.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal, ...this.#output() }));
    });
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await this.ended;
    });
  }

  write(text: string | Uint8Array): void {
    this.#child.stdin.write(text);
  }

  /** Ends its stdin, optionally after more text. */
  end(text: string | Uint8Array = ''): void {
    this.#child.stdin.end(text);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Closes the reading end of its stdout, as `head` does. */
  stopReading(): void {
    this.#child.stdout.destroy();
  }

  /** Resolves when this text has appeared on its stdout. */
  sent(text: string): Promise<void> {
    return this.#appeared(this.#child.stdout, ({ stdout }) => stdout.includes(text), text);
  }

  /** Resolves with the match of a pattern on its stdout. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    await this.#appeared(this.#child.stdout, ({ stdout }) => pattern.test(stdout), String(pattern));
    return pattern.exec(this.#output().stdout) as RegExpExecArray;
  }

  /** Resolves with the match of a pattern on its stderr. */
  async noted(pattern: RegExp): Promise<RegExpExecArray> {
    await this.#appeared(this.#child.stderr, ({ stderr }) => pattern.test(stderr), String(pattern));
    return pattern.exec(this.#output().stderr) as RegExpExecArray;
  }

  #appeared(
    stream: Readable,
    isThere: (output: Pick<Outcome, 'stdout' | 'stderr'>) => boolean,
    what: string,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isThere(this.#output())) return;
        stream.off('data', look);
        resolve();
      };
      stream.on('data', look);
      this.ended.then(
        ({ stdout, stderr }) => reject(new Error(`It ended without ${what}:\n${stdout}${stderr}`)),
        reject,
      );
      look();
    });
  }

  #output(): Pick<Outcome, 'stdout' | 'stderr' | 'bytes'> {
    const bytes = Buffer.concat(this.#stdout);
    return { bytes, stdout: bytes.toString(), stderr: Buffer.concat(this.#stderr).toString() };
  }
}
