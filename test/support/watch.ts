/** Something that changes, and that tests wait for. */
export class Watch {
  readonly #waiting = new Set<() => void>();

  /** Looks again for all that is waited for. */
  changed(): void {
    for (const look of this.#waiting) look();
  }

  /** Resolves with what `find` finds, as soon as it finds something. */
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
