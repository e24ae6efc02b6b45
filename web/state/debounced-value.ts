/** Runs work at most once per `pauseMs` while data changes, and at once when it stops changing. */
export class DebouncedValue {
  readonly #work: () => void;
  readonly #pauseMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(work: () => void, pauseMs: number) {
    this.#work = work;
    this.#pauseMs = pauseMs;
  }

  /** Schedules the work after a change. */
  due(isMoving: boolean): void {
    if (!isMoving) this.stop();
    // The running timer covers this change too. Restarting it each time would delay the work forever.
    else if (this.#timer !== undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#work();
      },
      isMoving ? this.#pauseMs : 0,
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
