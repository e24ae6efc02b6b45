/**
 * Work runs after this much time without new work, and after MAX_WAITS such periods at the latest. Traffic waits while
 * the work runs, so larger batches delay fewer messages. Checking for quiet has a cost, too.
 */
const QUIET_MS = 3;
const MAX_WAITS = 5;

/**
 * Defers recording work until incoming data was forwarded, so that forwarding comes first. Work runs in batches, which
 * is cheaper, and in the order in which it was added.
 */
export class IdleQueue {
  readonly #onDone: () => void;
  readonly #onBroken: (error: Error) => void;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #waits = 0;
  #isQuiet = true;

  /** Calls `onDone` whenever the queue is empty, and `onBroken` when work throws. The remaining work still runs. */
  constructor(onDone: () => void, onBroken: (error: Error) => void) {
    this.#onDone = onDone;
    this.#onBroken = onBroken;
  }

  add(work: () => void): void {
    this.#isQuiet = false;
    this.#timer ??= setTimeout(this.#waitOrFinish, QUIET_MS);
    this.#waiting.push(work);
  }

  /** Runs all queued work at once. */
  finish(): void {
    // Work may add more work.
    while (this.#waiting.length > 0) {
      const works = this.#waiting;
      this.#waiting = [];
      for (const work of works) {
        try {
          work();
        } catch (error) {
          this.#onBroken(error as Error);
        }
      }
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waits = 0;
    this.#onDone();
  }

  readonly #waitOrFinish = (): void => {
    this.#waits++;
    if (this.#isQuiet || this.#waits >= MAX_WAITS) {
      this.finish();
      return;
    }
    this.#isQuiet = true;
    this.#timer?.refresh();
  };
}
