/** So many ids are remembered before the older half of them is forgotten. */
const GENERATION = 1 << 15;

/** Which ids were answered lately. What is remembered is bounded, however long a session lasts. */
export class AnsweredIds {
  #recent = new Set<string | number>();
  #older = new Set<string | number>();

  add(place: string | number): void {
    this.#recent.add(place);
    if (this.#recent.size < GENERATION) return;
    this.#older = this.#recent;
    this.#recent = new Set();
  }

  has(place: string | number): boolean {
    return this.#recent.has(place) || this.#older.has(place);
  }
}
