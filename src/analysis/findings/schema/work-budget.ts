/** The work that may be spent on one validation. One unit is about as much as reading a property. */
export class WorkBudget {
  #left = 0;

  /** Allows this much work from now on. */
  allow(units: number): void {
    this.#left = units;
  }

  /** Counts work. Throws if it is too much. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new UnusableSchema('checking against it takes too long');
  }
}

/** Why a schema cannot be used, worded as the end of a sentence. */
export class UnusableSchema extends Error {}

/**
 * The same value, with every access to it counted. A validator compares elements with each other and goes through
 * members again and again, as often as the author of the schema likes.
 */
export function countedValue(value: unknown, budget: WorkBudget): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      budget.spend(1);
      return countedValue(Reflect.get(target, key), budget);
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target);
      budget.spend(1 + keys.length);
      return keys;
    },
    has(target, key) {
      budget.spend(1);
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      budget.spend(1);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}
