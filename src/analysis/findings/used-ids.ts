/** The number of further ids that may be stored individually, shared by several `UsedIds`. */
export interface IdBudget {
  left: number;
}

/** A limit that no client's retries after refusals should reach. */
const MAX_FORGOTTEN = 1000;

/** The ids that one side has used. Most sides count up by one, so that only the first and the last id are stored. */
export class UsedIds {
  readonly #allowance: IdBudget;
  readonly #others = new Set<string | number>();
  readonly #forgotten = new Set<string | number>();
  #first = 0;
  /** One more than the last id of the consecutive run; equal to `#first` before the run begins. */
  #next = 0;

  constructor(allowance: IdBudget) {
    this.#allowance = allowance;
  }

  /** Records an id; returns whether it is new. */
  add(key: string | number): boolean {
    if (this.#forgotten.delete(key)) return true;
    if (typeof key === 'number' && this.#count(key)) return true;
    if (this.#isCounted(key) || this.#others.has(key)) return false;
    if (this.#allowance.left > 0) {
      this.#allowance.left--;
      this.#others.add(key);
    }
    return true;
  }

  /** Allows an id to be used once more. */
  forget(key: string | number): void {
    if (this.#others.delete(key)) this.#allowance.left++;
    else if (this.#isCounted(key) && this.#forgotten.size < MAX_FORGOTTEN) this.#forgotten.add(key);
  }

  #isCounted(key: string | number): boolean {
    return typeof key === 'number' && key >= this.#first && key < this.#next;
  }

  /** Whether the number continues the run, or begins it. */
  #count(key: number): boolean {
    if (this.#others.has(key)) return false;
    if (this.#next === this.#first) this.#first = this.#next = key;
    if (key !== this.#next) return false;
    this.#next++;
    return true;
  }
}
