/**
 * Work is done when nothing more came for so long, and after so many times that long in any case. Those who talk while it is
 * done wait for it: the more is done at once, the fewer they are. To look whether it is quiet costs something too.
 */
const QUIET_MS = 3;
const MAX_WAITS = 5;

/**
 * Work that waits until everything that came in was passed on: whoever waits for bytes comes first, and what is left
 * behind in a short time costs less together. It is done in the order in which it was put off.
 */
export class IdleQueue {
  readonly #onDone: () => void;
  readonly #onBroken: (error: Error) => void;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #waits = 0;
  #isQuiet = true;

  /** `onDone` is told whenever nothing is left to do, `onBroken` of work that failed: nothing else must fail with it. */
  constructor(onDone: () => void, onBroken: (error: Error) => void) {
    this.#onDone = onDone;
    this.#onBroken = onBroken;
  }

  add(work: () => void): void {
    this.#isQuiet = false;
    this.#timer ??= setTimeout(() => this.#waitOrFinish(), QUIET_MS);
    this.#waiting.push(work);
  }

  /** Does at once what waits. */
  finish(): void {
    // What is done may put off more.
    while (this.#waiting.length > 0) {
      const works = this.#waiting;
      this.#waiting = [];
      for (const work of works) this.#do(work);
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waits = 0;
    this.#onDone();
  }

  #waitOrFinish(): void {
    this.#waits++;
    if (this.#isQuiet || this.#waits >= MAX_WAITS) {
      this.finish();
      return;
    }
    this.#isQuiet = true;
    this.#timer?.refresh();
  }

  #do(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onBroken(error as Error);
    }
  }
}
