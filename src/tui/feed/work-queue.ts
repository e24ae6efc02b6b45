/** Runs asynchronous steps one after another until it is closed. */
export class WorkQueue {
  readonly #onFault: (error: unknown) => void;
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  add(step: () => Promise<unknown>): void {
    this.#work = this.#work.then(async () => {
      if (this.#isClosed) return;
      try {
        await step();
      } catch (error) {
        this.#onFault(error);
      }
    });
  }

  /** Steps that have not started are discarded. */
  close(): void {
    this.#isClosed = true;
  }
}
