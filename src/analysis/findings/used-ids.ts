/** How many more ids may be remembered one by one, by all who share it. */
export interface IdBudget {
  left: number;
}

/** More refusals in a row than anybody tries again after. */
const MAX_FORGOTTEN = 1000;

/** The ids that one side has used. Most count them up by one, and then only the first and the last are kept. */
export class UsedIds {
  readonly #allowance: IdBudget;
  readonly #others = new Set<string | number>();
  readonly #forgotten = new Set<string | number>();
  #first = 0;
  /** The one after the last of an unbroken run; before there is any, equal to the first. */
  #next = 0;

  constructor(allowance: IdBudget) {
    this.#allowance = allowance;
  }

  /** Notes an id; tells whether it is new. */
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

  /** Lets an id be used once more. */
  forget(key: string | number): void {
    if (this.#others.delete(key)) this.#allowance.left++;
    else if (this.#isCounted(key) && this.#forgotten.size < MAX_FORGOTTEN) this.#forgotten.add(key);
  }

  #isCounted(key: string | number): boolean {
    return typeof key === 'number' && key >= this.#first && key < this.#next;
  }

  /** Whether the number goes on where the run ended, or begins one. */
  #count(key: number): boolean {
    if (this.#others.has(key)) return false;
    if (this.#next === this.#first) this.#first = this.#next = key;
    if (key !== this.#next) return false;
    this.#next++;
    return true;
  }
}
