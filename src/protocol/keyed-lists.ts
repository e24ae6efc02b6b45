/**
 * A multimap that keeps the values of each key in insertion order. Nearly every key has one value, so a group is
 * created only for more. Adding, removing and taking the first value take the same time for any number of values.
 */
export class KeyedLists<K, T extends object> {
  readonly #byKey = new Map<K, T | ValueGroup<T>>();
  /** The total number of values. */
  size = 0;

  add(key: K, value: T): void {
    this.size++;
    const found = this.#byKey.get(key);
    if (found === undefined) this.#byKey.set(key, value);
    else if (found instanceof ValueGroup) found.add(value);
    else this.#byKey.set(key, new ValueGroup([found, value]));
  }

  /** Removes a value; returns whether it was there. */
  remove(key: K, value: T): boolean {
    const found = this.#byKey.get(key);
    const isThere = found instanceof ValueGroup ? found.delete(value) : found === value;
    if (!isThere) return false;
    this.size--;
    if (!(found instanceof ValueGroup) || found.size === 0) this.#byKey.delete(key);
    return true;
  }

  /** The oldest value of a key. */
  first(key: K): T | undefined {
    const found = this.#byKey.get(key);
    return found instanceof ValueGroup ? found.first() : found;
  }

  /** The value that was added last to a key; `undefined` if it was removed and older ones are left. */
  newest(key: K): T | undefined {
    const found = this.#byKey.get(key);
    return found instanceof ValueGroup ? found.newest : found;
  }

  /** The value of a key, if there is exactly one. */
  only(key: K): T | undefined {
    const found = this.#byKey.get(key);
    if (!(found instanceof ValueGroup)) return found;
    return found.size === 1 ? found.first() : undefined;
  }

  /** The values of a key, oldest first. */
  of(key: K): Iterable<T> {
    const found = this.#byKey.get(key);
    if (found === undefined) return [];
    return found instanceof ValueGroup ? found : [found];
  }

  /** All values, in no particular order of keys. */
  *values(): Generator<T> {
    for (const found of this.#byKey.values()) {
      if (found instanceof ValueGroup) yield* found;
      else yield found;
    }
  }
}

/** The values of one key. */
class ValueGroup<T> {
  readonly #values: Set<T>;
  /** Stays behind the first value. A new iterator would pass everything that was removed before it. */
  readonly #rest: Iterator<T>;
  #first: T | undefined;
  newest: T | undefined;

  constructor(values: readonly T[]) {
    this.#values = new Set(values);
    this.#rest = this.#values.values();
    this.newest = values.at(-1);
  }

  get size(): number {
    return this.#values.size;
  }

  add(value: T): void {
    this.#values.add(value);
    this.newest = value;
  }

  delete(value: T): boolean {
    if (this.#first === value) this.#first = undefined;
    if (this.newest === value) this.newest = undefined;
    return this.#values.delete(value);
  }

  first(): T | undefined {
    if (this.#first === undefined) this.#first = this.#rest.next().value as T | undefined;
    return this.#first;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#values.values();
  }
}
