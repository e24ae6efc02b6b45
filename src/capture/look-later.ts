import type { Entry } from '../model/entry.ts';

/**
 * Lets everything that has arrived go on its way before any of it is looked at, and records what was seen with one write.
 * The order is that of arrival.
 */
export class LookLater {
  readonly #record: (entries: readonly Entry[]) => void;
  #looks: (() => readonly Entry[])[] = [];

  constructor(record: (entries: readonly Entry[]) => void) {
    this.#record = record;
  }

  add(look: () => readonly Entry[]): void {
    if (this.#looks.push(look) === 1) setImmediate(() => this.flush());
  }

  /** Looks at what is left, at once. */
  flush(): void {
    const looks = this.#looks;
    this.#looks = [];
    if (looks.length > 0) this.#record(looks.flatMap((look) => look()));
  }
}
