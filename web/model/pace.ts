import { breath } from './breath.ts';

/** How long work goes on before questions have their turn. */
const SLICE_MS = 8;

/** Long work in slices: asked between two steps, it says when it is time to rest. */
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

  /** Lets whatever waits have its turn. */
  async rest(): Promise<void> {
    await breath();
    this.#stopAtMs = this.#now() + SLICE_MS;
  }
}
