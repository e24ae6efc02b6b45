import { type Signal, signal } from '@preact/signals';

const PAGE = 100;
/** Pages that are remembered although nobody looks at them. */
const MAX_PAGES = 60;

/** Rows of a long list that is somewhere else, fetched as they are looked at. What is old is shown until the new is there. */
export class RowPages<T> {
  /** Changes whenever rows have come. */
  readonly arrived: Signal<number> = signal(0);
  readonly #fetch: (from: number, to: number) => Promise<readonly (T | undefined)[]>;
  readonly #pages = new Map<number, { rows: readonly (T | undefined)[]; version: unknown }>();
  readonly #coming = new Map<number, unknown>();
  #version: unknown = 0;

  constructor(fetch: (from: number, to: number) => Promise<readonly (T | undefined)[]>) {
    this.#fetch = fetch;
  }

  /** Says that rows may be others than before. */
  renew(version: unknown): void {
    this.#version = version;
  }

  /** Takes the first rows as they came along with their number. */
  takeHead(rows: readonly (T | undefined)[], version: unknown): void {
    this.#pages.set(0, { rows, version });
  }

  /** Whether a row is as it is now, or there is none. */
  isCurrent(index: number): boolean {
    return this.#pages.get(Math.floor(index / PAGE))?.version === this.#version;
  }

  at(index: number): T | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.rows[index % PAGE];
  }

  /** Sees to it that these rows are there, and as they are now. */
  want(from: number, to: number): void {
    for (let page = Math.floor(from / PAGE); page * PAGE < to; page++) {
      if (this.#pages.get(page)?.version === this.#version || this.#coming.get(page) === this.#version) continue;
      void this.#load(page, this.#version);
    }
  }

  async #load(page: number, version: unknown): Promise<void> {
    this.#coming.set(page, version);
    try {
      const rows = await this.#fetch(page * PAGE, (page + 1) * PAGE);
      this.#pages.delete(page);
      this.#pages.set(page, { rows, version });
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= MAX_PAGES) break;
        this.#pages.delete(oldest);
      }
      this.arrived.value++;
    } finally {
      if (this.#coming.get(page) === version) this.#coming.delete(page);
    }
  }
}
