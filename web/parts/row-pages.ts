import { type Signal, signal } from '@preact/signals';

const PAGE = 100;
/** The maximum number of cached pages. */
const MAX_PAGES = 60;

/** Caches rows of a long list that are fetched on demand. Old rows stay visible until new ones arrive. */
export class RowPages<T> {
  /** Changes whenever rows have arrived. */
  readonly arrived: Signal<number> = signal(0);
  readonly #fetch: (from: number, to: number) => Promise<readonly (T | undefined)[]>;
  readonly #pages = new Map<number, { rows: readonly (T | undefined)[]; version: unknown }>();
  readonly #coming = new Map<number, unknown>();
  #version: unknown = 0;

  constructor(fetch: (from: number, to: number) => Promise<readonly (T | undefined)[]>) {
    this.#fetch = fetch;
  }

  /** Marks all rows as possibly outdated. */
  renew(version: unknown): void {
    this.#version = version;
  }

  /** Stores the first rows, which arrive with the row count. */
  takeHead(rows: readonly (T | undefined)[], version: unknown): void {
    this.#pages.set(0, { rows, version });
  }

  /** Whether the cached row is up to date. */
  isCurrent(index: number): boolean {
    return this.#pages.get(Math.floor(index / PAGE))?.version === this.#version;
  }

  at(index: number): T | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.rows[index % PAGE];
  }

  /** Fetches these rows unless they are up to date. */
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
