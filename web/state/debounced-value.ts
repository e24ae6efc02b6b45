/** Work that is done no more often than this while things move, and at once when they stand still. */
export class DebouncedValue {
  readonly #work: () => void;
  readonly #pauseMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(work: () => void, pauseMs: number) {
    this.#work = work;
    this.#pauseMs = pauseMs;
  }

  /** Something has changed. */
  due(isMoving: boolean): void {
    if (!isMoving) this.stop();
    // What comes meanwhile is seen then: whoever began anew each time would never come to it.
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
