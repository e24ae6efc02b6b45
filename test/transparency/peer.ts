import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';

/** What a client can tell of a server that is gone. */
export interface Seen {
  /** As a shell tells it: the exit code, or 128 and the number of the signal. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A server as its client has it: three pipes and an end. It is gone after the test. */
export class Peer {
  readonly out: Ear;
  readonly err: Ear;
  readonly exited: Promise<number>;
  /** Resolves when it has ended and all of its output was read, or will not be. */
  readonly ended: Promise<Seen>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;

  constructor([program = '', ...args]: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    // A group of its own, so that nothing of it is left after the test.
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    this.#child = child;
    this.out = new Ear(child.stdout);
    this.err = new Ear(child.stderr);
    // Always heard: whether a server takes its input is what some tests are about, and an unheard error would end them.
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

  /** Resolves when the bytes have left this process, with whether they did. */
  write(bytes: string | Uint8Array): Promise<'written' | 'broken'> {
    return new Promise((resolve) => this.#child.stdin.write(bytes, (error) => resolve(error ? 'broken' : 'written')));
  }

  /** Writes until that fails, as it does when nobody is there to read. */
  async writeUntilBroken(line: string): Promise<void> {
    while ((await this.write(line)) === 'written') await nextTurn();
  }

  /** Ends its input and waits for the end of everything. */
  end(bytes: string | Uint8Array = ''): Promise<Seen> {
    this.#child.stdin.end(bytes);
    return this.ended;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}

/** One output of a server, as far as it was heard. */
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

  /** Resolves when so many bytes have come. */
  count(requested: number): Promise<void> {
    return this.#until(() => this.#length >= requested, `${requested} bytes`);
  }

  /** Resolves when this text has come, so many times. */
  text(requested: string, times = 1): Promise<void> {
    return this.#until(() => this.bytes().toString().split(requested).length > times, JSON.stringify(requested));
  }

  /** Reads no further for now; what comes stays where it is. */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Closes the reading end, as `head` does when it has enough. */
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

/** Bytes so that a test can show them: whole if they are few, else how many and their hash. */
export function summary(content: string | Uint8Array): string {
  const bytes = Buffer.from(content);
  if (bytes.length <= 1000) return bytes.toString('latin1');
  return `${bytes.length} bytes with SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended, as it should.
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
