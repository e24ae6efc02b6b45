import type { DirectOutput } from '../../command-run.ts';

/** So long a line may wait for others. */
const MAX_WAIT_MS = 20;

/** Prints lines as they come, those that come at the same time with one write: a write costs more than most lines do. */
export class LineGatherer {
  readonly #output: DirectOutput;
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(output: DirectOutput) {
    this.#output = output;
  }

  add(line: string): void {
    this.#waiting += `${line}\n`;
    this.#timer ??= setTimeout(() => this.#print(), MAX_WAIT_MS);
  }

  /** Resolves when all is written. Rejects when nobody reads any more. */
  async flush(): Promise<void> {
    this.#print();
    await this.#output.flushed();
  }

  #print(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting !== '') this.#output.print(this.#waiting);
    this.#waiting = '';
  }
}
