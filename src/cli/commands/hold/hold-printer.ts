import type { DirectOutput } from '../../command-run.ts';

/** Prints lines in order, and does not wait for them until the end. */
export class HoldPrinter {
  /** Rejects when nobody reads any more. */
  readonly broken: Promise<never>;
  readonly #output: DirectOutput;
  #onBroken: (error: unknown) => void = () => undefined;
  /** What is said before the first line that everybody expects. */
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
    this.#output.print(`${line}\n`);
    this.#output.flushed().catch((error: unknown) => this.#onBroken(error));
  }

  /** Resolves when all lines are written. Rejects when that failed. */
  async flushed(): Promise<void> {
    await this.#output.flushed();
  }
}
