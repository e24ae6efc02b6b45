/**
 * Limits the time to finish after a signal, because its sender will not wait long. The time starts with the signal or
 * the server's exit, whichever is later.
 */
export class ExitDeadline {
  /** Resolves when the time is up. */
  readonly isOver: Promise<void>;
  readonly #limitMs: number;
  #end: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #signalled = false;
  #serverEnded = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.isOver = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  signalled(): void {
    this.#signalled = true;
    this.#start();
  }

  serverEnded(): void {
    this.#serverEnded = true;
    this.#start();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #start(): void {
    if (this.#signalled && this.#serverEnded) this.#timer ??= setTimeout(this.#end, this.#limitMs);
  }
}
