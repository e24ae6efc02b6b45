import type { DirectOutput } from '../../command-run.ts';

/** Prints lines in order, and waits for the writes only at the end. */
export class HoldPrinter {
  /** Rejects when the reader has closed stdout. */
  readonly broken: Promise<never>;
  readonly #output: DirectOutput;
  #onBroken: (error: unknown) => void = () => undefined;
  /** Lines that have to wait until the expected first line is printed. */
  #early: string[] | undefined = [];

  constructor(output: DirectOutput) {
    this.#output = output;
    this.broken = new Promise((_, reject) => {
      this.#onBroken = reject;
    });
    this.broken.catch(() => undefined);
  }

  get hasBegun(): boolean {
    return this.#early === undefined;
  }

  /** Prints the first line, then the lines that waited for it. */
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
    this.#output.print(`${line}\n`);
    this.#output.flushed().catch((error: unknown) => this.#onBroken(error));
  }

  /** Resolves when all lines are written. Rejects if that failed. */
  async flushed(): Promise<void> {
    await this.#output.flushed();
  }
}
