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
    return found instanceof ValueGroup ? found.first : found;
  }

  /** The newest value of a key. */
  newest(key: K): T | undefined {
    const found = this.#byKey.get(key);
    return found instanceof ValueGroup ? found.newest : found;
  }

  /** The value of a key, if there is exactly one. */
  only(key: K): T | undefined {
    const found = this.#byKey.get(key);
    if (!(found instanceof ValueGroup)) return found;
    return found.size === 1 ? found.first : undefined;
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

/** A value and its neighbors in the order of insertion. */
interface GroupLink<T> {
  readonly value: T;
  before: GroupLink<T> | undefined;
  after: GroupLink<T> | undefined;
}

/**
 * The values of one key, as a linked list. A `Set` alone also keeps their order, but finding its first value passes all
 * that were removed before it.
 */
class ValueGroup<T> {
  readonly #links = new Map<T, GroupLink<T>>();
  #first: GroupLink<T> | undefined;
  #last: GroupLink<T> | undefined;

  constructor(values: readonly T[]) {
    for (const value of values) this.add(value);
  }

  get size(): number {
    return this.#links.size;
  }

  get first(): T | undefined {
    return this.#first?.value;
  }

  get newest(): T | undefined {
    return this.#last?.value;
  }

  add(value: T): void {
    const link: GroupLink<T> = { value, before: this.#last, after: undefined };
    if (this.#last === undefined) this.#first = link;
    else this.#last.after = link;
    this.#last = link;
    this.#links.set(value, link);
  }

  delete(value: T): boolean {
    const link = this.#links.get(value);
    if (link === undefined) return false;
    const { before, after } = link;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    return this.#links.delete(value);
  }

  *[Symbol.iterator](): Generator<T> {
    for (let link = this.#first; link !== undefined; link = link.after) yield link.value;
  }
}
