/** How many characters are counted for one unit. */
export const CHARACTERS = 8;

/** How much more it counts to read a value once more that was read several times: elements are being compared. */
export const REREAD = 8;
/** How often each member of a value is read before that. */
const USUAL_READS = 8;

/** The work that may be spent on one validation. One unit is about as much as reading a property. */
export class ValidationBudget {
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
export function countedValue(value: unknown, budget: ValidationBudget, reread = 1): unknown {
  if (typeof value !== 'object' || value === null) return value;
  let names: { readonly keys: (string | symbol)[]; readonly units: number } | undefined;
  let usual = USUAL_READS * (1 + Object.keys(value).length);
  const spend = (units: number): void => {
    usual -= 1;
    budget.spend(usual < 0 ? units * reread : units);
  };
  const inner = new Map<string | symbol, unknown>();
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      // Strings are compared, and names are written into paths, in their whole length.
      spend(typeof found === 'string' ? 1 + found.length / CHARACTERS : 1);
      if (typeof found !== 'object') return found;
      if (!inner.has(key)) inner.set(key, countedValue(found, budget, reread));
      return inner.get(key);
    },
    ownKeys(target) {
      names ??= namesOf(target);
      spend(names.units);
      return names.keys;
    },
    has(target, key) {
      spend(1);
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      spend(1);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

function namesOf(target: object): { readonly keys: (string | symbol)[]; readonly units: number } {
  const keys = Reflect.ownKeys(target);
  return { keys, units: keys.reduce((sum, key) => sum + 1 + key.toString().length / CHARACTERS, 1) };
}
