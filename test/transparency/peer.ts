import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';

/** What a client can observe about a server that has ended. */
export interface Seen {
  /** As in a shell: the exit code, or 128 plus the signal number. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A server as its client sees it: three pipes and an exit status. It is killed after the test. */
export class Peer {
  readonly out: Ear;
  readonly err: Ear;
  readonly exited: Promise<number>;
  /** Resolves when it has ended and its output was read or abandoned. */
  readonly ended: Promise<Seen>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;

  constructor([program = '', ...args]: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    // Its own process group, so that no process is left after the test.
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    this.#child = child;
    this.out = new Ear(child.stdout);
    this.err = new Ear(child.stderr);
    // Some tests check whether a server reads its stdin; an unhandled error would end them.
    child.stdin.on('error', () => undefined);
    this.exited = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(signal === null ? (code ?? -1) : 128 + constants.signals[signal]));
    });
    const closed = Promise.all([this.exited, once(child, 'close')]);
    this.ended = closed.then(([status]) => ({
      status,
      stdout: summary(this.out.bytes()),
      stderr: summary(this.err.bytes()),
    }));
    onTestFinished(async () => {
      killGroup(this.pid);
      child.stdout.destroy();
      child.stderr.destroy();
      await this.exited;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resolves when the bytes have left this process, or failed to. */
  write(bytes: string | Uint8Array): Promise<'written' | 'broken'> {
    return new Promise((resolve) => this.#child.stdin.write(bytes, (error) => resolve(error ? 'broken' : 'written')));
  }

  /** Writes until a write fails because the reader is gone. */
  async writeUntilBroken(line: string): Promise<void> {
    while ((await this.write(line)) === 'written') await nextTurn();
  }

  /** Ends its stdin and waits for it to end. */
  end(bytes: string | Uint8Array = ''): Promise<Seen> {
    this.#child.stdin.end(bytes);
    return this.ended;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}

/** One output of a server, as far as it was read. */
export class Ear {
  /** Resolves when the server has closed it. */
  readonly closed: Promise<unknown>;
  readonly #stream: Readable;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(stream: Readable) {
    this.#stream = stream;
    this.closed = new Promise((resolve) => stream.once('end', resolve));
    // A test may wait for many lines at once.
    stream.setMaxListeners(0);
    stream.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
    });
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Resolves when this many bytes have arrived. */
  count(requested: number): Promise<void> {
    return this.#until(() => this.#length >= requested, `${requested} bytes`);
  }

  /** Resolves when this text has arrived this many times. */
  text(requested: string, times = 1): Promise<void> {
    return this.#until(() => this.bytes().toString().split(requested).length > times, JSON.stringify(requested));
  }

  /** Stops reading for now; the data stays in the pipe. */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Closes the reading end, as `head` does. */
  leave(): void {
    this.#stream.destroy();
  }

  #until(isMet: () => boolean, requested: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isMet()) return;
        this.#stream.off('data', look);
        resolve();
      };
      this.#stream.on('data', look);
      void this.closed.then(() => reject(new Error(`It ended without ${requested}: ${summary(this.bytes())}`)));
      look();
    });
  }
}

/** A readable form of bytes: the bytes themselves if they are few, otherwise their count and hash. */
export function summary(content: string | Uint8Array): string {
  const bytes = Buffer.from(content);
  if (bytes.length <= 1000) return bytes.toString('latin1');
  return `${bytes.length} bytes with SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has already ended.
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
