import type { Output } from '../output.ts';

/** Prints lines in order, and does not wait for them until the end. */
export class HoldPrinter {
  /** Rejects when nobody reads any more. */
  readonly broken: Promise<never>;
  readonly #output: Output;
  #written: Promise<unknown> = Promise.resolve();
  #onBroken: (error: unknown) => void = () => undefined;
  /** What is said before the first line that everybody expects. */
  #early: string[] | undefined = [];

  constructor(output: Output) {
    this.#output = output;
    this.broken = new Promise((_, reject) => {
      this.#onBroken = reject;
    });
    this.broken.catch(() => undefined);
  }

  get hasBegun(): boolean {
    return this.#early === undefined;
  }

  /** Prints the first line, and then what was to be printed before it. */
  begin(line: string): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const text of [line, ...early]) this.print(text);
  }

  print(line: string): void {
    if (this.#early !== undefined) {
      this.#early.push(line);
      return;
    }
    this.#written = Promise.all([this.#written, this.#output.line(line)]);
    this.#written.catch((error: unknown) => this.#onBroken(error));
  }

  /** Resolves when all lines are written. Rejects when that failed. */
  async flushed(): Promise<void> {
    await this.#written;
  }
}
