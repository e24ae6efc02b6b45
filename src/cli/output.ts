import type { Writable } from 'node:stream';
import { reasonOf } from '../files/reason.ts';
import { inOneLine, ReelError } from '../model/errors.ts';
import type { DirectOutput, OutputPart } from './command-run.ts';

/** The only writer to stdout and stderr. Results go to stdout, everything else to stderr. */
export class CommandOutput implements DirectOutput {
  /** Not touched unless there is a result: behind a client, stdout belongs to the protocol. */
  readonly #stdout: () => Writable;
  readonly #stderr: Writable;
  #beforeWriting: OutputListener = () => undefined;
  #printed: Promise<unknown> = Promise.resolve();

  constructor(stdout: () => Writable, stderr: Writable) {
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /** Writes a part of the result; resolves when more may come. Rejects when nobody reads any more. */
  write(text: string | Uint8Array): Promise<void> {
    this.#beforeWriting('stdout', text);
    return new Promise((resolve, reject) => {
      this.#stdout().write(text, (error) => (error ? reject(unwritable(error)) : resolve()));
    });
  }

  /** Writes a part of the result for those who cannot wait for it. Whether that worked is told by `flushed`. */
  print(text: string): void {
    this.#printed = Promise.all([this.#printed, this.write(text)]);
    // Until somebody asks, a failure must not count as unheard.
    this.#printed.catch(() => undefined);
  }

  /** Resolves when all that was printed is written. Rejects when it cannot be. */
  async flushed(): Promise<void> {
    await this.#printed;
  }

  /** Writes a part of a command's output; resolves when more may come. */
  async part(part: OutputPart): Promise<void> {
    if (typeof part === 'string' || part instanceof Uint8Array) await this.write(part);
    else this.note(part.note);
  }

  /** One line for the person, beside the result. */
  note(text: string): void {
    this.#beforeWriting('stderr', `${text}\n`);
    this.#stderr.write(`${text}\n`);
  }

  /** Tells somebody of all that is written, just before it is. */
  onWriting(receive: OutputListener): void {
    this.#beforeWriting = receive;
  }
}

/** Whoever stopped reading has what was wanted, and `main` knows; all else is told. */
function unwritable(error: Error): Error {
  if ('code' in error && error.code === 'EPIPE') return error;
  return new ReelError('file-unwritable', `Cannot write to standard output: ${reasonOf(error)}`, { cause: error });
}

type OutputListener = (where: 'stdout' | 'stderr', text: string | Uint8Array) => void;

/** What is said of an error: what happened and what to do, in one line. */
export function describeError(error: unknown): string {
  return visible(`Error: ${inOneLine(error)}`);
}

/**
 * Characters that would move a terminal's cursor, colour it, turn the reading direction around, or that nobody would see.
 * Traffic is hostile: none of them reaches a screen.
 */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text with such characters spelled out as JSON would escape them. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (char) =>
    Array.from({ length: char.length }, (_, unit) => `\\u${char.charCodeAt(unit).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}

/** The same for a name or a value from the traffic, which must not begin a line of its own. */
export function oneLine(text: string): string {
  return PLAIN.test(text) ? text : visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** Most names are of nothing else, and need no closer look. */
const PLAIN = /^[ -~]*$/;
