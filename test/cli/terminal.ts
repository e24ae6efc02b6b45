import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { MCPREEL } from '../support/mcpreel-process.ts';
import type { Place } from '../support/place.ts';
import { Watch } from '../support/watch.ts';

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Shell redirections for output that would go to the terminal: `> out.txt`. */
  readonly redirects?: string;
  readonly columns?: number;
}

const ERASE = '\r\u001b[2K';

/** Runs mcpreel on a pseudo-terminal made by `script`, and ends it with the test. */
export class Terminal {
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #watch = new Watch();
  #text = '';

  /** `args` is parsed by a shell. */
  constructor(args: string, place: Place, { env = {}, redirects = '', columns = 80 }: TerminalOptions = {}) {
    const command = `stty cols ${columns} -echo; exec "${process.execPath}" "${MCPREEL}" ${args} ${redirects}`;
    const child = spawn('script', ['-qfec', command, '/dev/null'], {
      cwd: place.folder,
      env: { ...place.environment(), SHELL: '/bin/sh', TERM: 'xterm', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      this.#watch.changed();
    });
    child.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await this.ended;
    });
  }

  /** Resolves with the first match of a pattern in the terminal output; rejects if the process ends before. */
  async shown(pattern: RegExp): Promise<string> {
    const appeared = this.#watch.until(() => pattern.exec(this.#text)?.[0]);
    const ended = this.ended.then(() => {
      throw new Error(`It ended without ${pattern}:\n${this.#text}`);
    });
    return Promise.race([appeared, ended]);
  }

  interrupt(): void {
    this.#child.stdin.write('\u0003');
  }

  /** The lines that could be erased again, such as progress bars. */
  passing(): string[] {
    return this.#text.split(ERASE).slice(1, -1);
  }

  /** The final content of the screen. */
  screen(): string {
    return this.#text
      .replaceAll('\r\n', '\n')
      .split('\n')
      .map((line) => line.split(ERASE).at(-1))
      .join('\n');
  }
}

/** A named pipe from which a command reads what the test writes. */
export class SlowFile {
  readonly #stream: WriteStream;

  constructor(path: string) {
    execFileSync('mkfifo', [path]);
    this.#stream = createWriteStream(path);
    this.#stream.on('error', () => undefined);
    onTestFinished(() => void this.#stream.destroy());
  }

  /** Resolves once the reader has taken the text, except for what fits in the pipe buffer. */
  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  end(text = ''): void {
    this.#stream.end(text);
  }
}
