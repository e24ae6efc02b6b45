import { breath } from './breath.ts';

/** The length of a slice of work before queries are answered. */
const SLICE_MS = 8;

/** Splits long work into slices: `isOver` says when to call `rest`. */
export class WorkPace {
  readonly #now: () => number;
  #stopAtMs: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#stopAtMs = now() + SLICE_MS;
  }

  get isOver(): boolean {
    return this.#now() >= this.#stopAtMs;
  }

  /** Yields to other pending tasks and begins a new slice. */
  async rest(): Promise<void> {
    await breath();
    this.#stopAtMs = this.#now() + SLICE_MS;
  }
}
