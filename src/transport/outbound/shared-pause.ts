/** Pauses and resumes several readers together. */
export class SharedPause {
  #halt: Promise<void> | undefined;
  #release: () => void = () => undefined;

  pause(): void {
    this.#halt ??= new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  resume(): void {
    this.#halt = undefined;
    this.#release();
  }

  /** Resolves when reading is allowed. */
  async canRead(): Promise<void> {
    while (this.#halt !== undefined) await this.#halt;
  }
}
