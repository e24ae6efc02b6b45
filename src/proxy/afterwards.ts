/**
 * Work that waits until everything that came in was passed on. It is done in the order in which it was put off, and what
 * many connections left behind in one turn of the event loop is done together.
 */
export class Afterwards {
  readonly #onDone: () => void;
  #waiting: (() => void)[] = [];

  /** `onDone` is told whenever nothing is left to do. */
  constructor(onDone: () => void) {
    this.#onDone = onDone;
  }

  add(work: () => void): void {
    if (this.#waiting.length === 0) setImmediate(() => this.finish());
    this.#waiting.push(work);
  }

  /** Does at once what waits. */
  finish(): void {
    // What is done may put off more.
    while (this.#waiting.length > 0) {
      const works = this.#waiting;
      this.#waiting = [];
      for (const work of works) work();
    }
    this.#onDone();
  }
}
