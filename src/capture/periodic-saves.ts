/** A save may take this part of the time at most: after it, nine times its duration passes before the next. */
const PAUSE_PER_SAVE = 9;

/**
 * Saves a session file in intervals. The longer a session gets, the longer a save of all of it takes, so the intervals
 * become longer, too.
 */
export class PeriodicSaves {
  readonly #everyMs: number;
  readonly #save: () => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(everyMs: number, save: () => Promise<unknown>) {
    this.#everyMs = everyMs;
    this.#save = save;
    this.#wait(everyMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #wait(delayMs: number): void {
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#saveAndWait(), delayMs);
  }

  async #saveAndWait(): Promise<void> {
    const startMs = performance.now();
    await this.#save();
    const tookMs = performance.now() - startMs;
    this.#wait(Math.max(this.#everyMs - tookMs, PAUSE_PER_SAVE * tookMs));
  }
}
