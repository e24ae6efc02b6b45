import type { Output } from '../output.ts';

/** So long a line may wait for others. */
const LONGEST_WAIT_MS = 20;

/** Prints lines as they come, those that come at the same time with one write: a write costs more than most lines do. */
export class LineGatherer {
  readonly #output: Pick<Output, 'write'>;
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(output: Pick<Output, 'write'>) {
    this.#output = output;
  }

  add(line: string): void {
    this.#waiting += `${line}\n`;
    this.#timer ??= setTimeout(() => this.#write(), LONGEST_WAIT_MS);
  }

  /** Resolves when all is printed. Rejects when nobody reads any more. */
  async flush(): Promise<void> {
    this.#write();
    await this.#written;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === '') return;
    this.#written = this.#output.write(this.#waiting);
    // Told by `flush`; until then a failure must not count as unheard.
    this.#written.catch(() => undefined);
    this.#waiting = '';
  }
}
