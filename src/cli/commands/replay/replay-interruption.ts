/** Aborts a replay on Ctrl-C, so that the server is stopped before mcpreel exits. */
export class ReplayInterruption {
  readonly #controller = new AbortController();
  readonly #listener = (): void => this.#controller.abort();

  constructor() {
    process.on('SIGINT', this.#listener);
    process.on('SIGTERM', this.#listener);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    process.off('SIGINT', this.#listener);
    process.off('SIGTERM', this.#listener);
  }
}
