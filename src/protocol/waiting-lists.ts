/** What waits under one key, oldest first. A list, so that taking the first costs the same however many wait. */
interface Waiting<T> {
  first: Link<T>;
  last: Link<T>;
}

interface Link<T> {
  readonly value: T;
  next: Link<T> | undefined;
}

/** Values that wait under their keys and are taken in the order in which they came. */
export class WaitingLists<K, T> {
  readonly #lists = new Map<K, Waiting<T>>();

  add(key: K, value: T): void {
    const link: Link<T> = { value, next: undefined };
    const waiting = this.#lists.get(key);
    if (waiting === undefined) this.#lists.set(key, { first: link, last: link });
    else {
      waiting.last.next = link;
      waiting.last = link;
    }
  }

  /** Removes and returns the value that has waited longest under this key. */
  take(key: K): T | undefined {
    const waiting = this.#lists.get(key);
    if (waiting === undefined) return undefined;
    const { value, next } = waiting.first;
    if (next === undefined) this.#lists.delete(key);
    else waiting.first = next;
    return value;
  }

  /** All that still wait, in no particular order of keys. */
  *values(): Generator<T> {
    for (const { first } of this.#lists.values()) {
      for (let link: Link<T> | undefined = first; link !== undefined; link = link.next) yield link.value;
    }
  }
}
