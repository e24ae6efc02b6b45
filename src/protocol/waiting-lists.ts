/**
 * FIFO queues of values by key. Nearly always a key has one value, so only further values are stored in a list. Taking
 * the first value takes the same time for a queue of any length.
 */
export class WaitingLists<K, T> {
  readonly #first = new Map<K, T>();
  readonly #behind = new Map<K, WaitingQueue<T>>();

  add(key: K, value: T): void {
    if (!this.#first.has(key)) {
      this.#first.set(key, value);
      return;
    }
    const queue = this.#behind.get(key);
    if (queue === undefined) this.#behind.set(key, { values: [value], taken: 0 });
    else queue.values.push(value);
  }

  /** Removes and returns the oldest value of this key. */
  take(key: K): T | undefined {
    const value = this.#first.get(key);
    const queue = this.#behind.size === 0 ? undefined : this.#behind.get(key);
    if (queue === undefined) this.#first.delete(key);
    else this.#moveUp(key, queue);
    return value;
  }

  /** Removes a value from this key's queue; returns whether it was queued. The newest value is found fastest. */
  remove(key: K, value: T): boolean {
    if (!this.#first.has(key)) return false;
    if (this.#first.get(key) === value) {
      this.take(key);
      return true;
    }
    const queue = this.#behind.get(key);
    const at = queue === undefined ? -1 : queue.values.lastIndexOf(value);
    if (queue === undefined || at < queue.taken) return false;
    queue.values.splice(at, 1);
    if (queue.taken === queue.values.length) this.#behind.delete(key);
    return true;
  }

  /** All queued values, in no particular order of keys. */
  *values(): Generator<T> {
    yield* this.#first.values();
    for (const { values, taken } of this.#behind.values()) yield* values.slice(taken);
  }

  #moveUp(key: K, queue: WaitingQueue<T>): void {
    this.#first.set(key, queue.values[queue.taken++] as T);
    if (queue.taken === queue.values.length) this.#behind.delete(key);
    // Taken values are removed in large steps: removing them one by one would shift the rest of the queue each time.
    else if (queue.taken >= LARGE_STEP && queue.taken * 2 > queue.values.length) {
      queue.values.splice(0, queue.taken);
      queue.taken = 0;
    }
  }
}

const LARGE_STEP = 1024;

interface WaitingQueue<T> {
  readonly values: T[];
  taken: number;
}
