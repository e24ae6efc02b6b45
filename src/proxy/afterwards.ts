/**
 * Work that waits until everything that came in was passed on. It is done in the order in which it was put off, and what
 * many connections left behind in one turn of the event loop is done together.
 */
export class Afterwards {
  readonly #onDone: () => void;
  readonly #onBroken: (error: Error) => void;
  #waiting: (() => void)[] = [];
  #atOnce: (() => void)[] = [];

  /** `onDone` is told whenever nothing is left to do, `onBroken` of work that failed: nothing else must fail with it. */
  constructor(onDone: () => void, onBroken: (error: Error) => void) {
    this.#onDone = onDone;
    this.#onBroken = onBroken;
  }

  add(work: () => void): void {
    this.#wake();
    this.#waiting.push(work);
  }

  /** Puts off work that somebody waits for: it is done before all else. */
  addUrgent(work: () => void): void {
    this.#wake();
    this.#atOnce.push(work);
  }

  /** Does at once what waits. */
  finish(): void {
    const urgent = this.#atOnce;
    this.#atOnce = [];
    for (const work of urgent) work();
    // What is done may put off more.
    while (this.#waiting.length > 0) {
      const works = this.#waiting;
      this.#waiting = [];
      for (const work of works) this.#do(work);
    }
    this.#onDone();
  }

  #wake(): void {
    if (this.#waiting.length === 0 && this.#atOnce.length === 0) setImmediate(() => this.finish());
  }

  #do(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onBroken(error as Error);
    }
  }
}
