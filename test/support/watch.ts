/** A value that changes, and that tests wait for. */
export class Watch {
  readonly #waiting = new Set<() => void>();

  /** Checks all pending waits again. */
  changed(): void {
    for (const look of this.#waiting) look();
  }

  /** Resolves with the first defined result of `find`. */
  until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
