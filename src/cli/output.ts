import type { Writable } from 'node:stream';
import { reasonOf } from '../files/reason.ts';
import { inOneLine, ReelError } from '../model/errors.ts';
import { sayingLeftOut } from '../model/shell-line.ts';
import { visible } from '../present/visible-text.ts';
import type { DirectOutput, OutputPart } from './command-run.ts';

/** The only writer to stdout and stderr. Results go to stdout, everything else to stderr. */
export class CommandOutput implements DirectOutput {
  /** Called only if there is a result: under a client, stdout belongs to the protocol. */
  readonly #stdout: () => Writable;
  readonly #stderr: Writable;
  #beforeWriting: OutputListener = () => undefined;
  #printed: Promise<unknown> = Promise.resolve();

  constructor(stdout: () => Writable, stderr: Writable) {
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /** Writes a part of the result; resolves when more may follow. Rejects when the reader has closed stdout. */
  write(text: string | Uint8Array): Promise<void> {
    this.#beforeWriting('stdout', text);
    return new Promise((resolve, reject) => {
      this.#stdout().write(text, (error) => (error ? reject(unwritable(error)) : resolve()));
    });
  }

  /** Writes a part of the result without waiting. If that fails, `flushed` rejects. */
  print(text: string): void {
    this.#printed = Promise.all([this.#printed, this.write(text)]);
    // Prevents an unhandled rejection until `flushed` is called.
    this.#printed.catch(() => undefined);
  }

  /** Resolves when all printed text is written. Rejects if that failed. */
  async flushed(): Promise<void> {
    await this.#printed;
  }

  /** Writes a part of a command's output; resolves when more may follow. */
  async part(part: OutputPart): Promise<void> {
    if (typeof part === 'string' || part instanceof Uint8Array) await this.write(part);
    else this.note(part.note);
  }

  /** Writes one line for the user to stderr. */
  note(text: string): void {
    const line = `${sayingLeftOut(text)}\n`;
    this.#beforeWriting('stderr', line);
    this.#stderr.write(line);
  }

  /** Sets a listener that is called before each write. */
  onWriting(receive: OutputListener): void {
    this.#beforeWriting = receive;
  }
}

/**
 * EPIPE is passed on unchanged, because `main` handles it: the reader has what it wanted. Other errors are reported.
 */
function unwritable(error: Error): Error {
  if ('code' in error && error.code === 'EPIPE') return error;
  return new ReelError('file-unwritable', `Cannot write to standard output: ${reasonOf(error)}`, { cause: error });
}

type OutputListener = (where: 'stdout' | 'stderr', text: string | Uint8Array) => void;

/** An error as one line: what failed and what to do. */
export function describeError(error: unknown): string {
  return visible(`Error: ${inOneLine(error)}`);
}
