/** An item with a time and a size. */
export interface TimedElement {
  readonly atMs: number;
  /** Decides between items with the same time (default: 0). Items that have the same here, too, keep their order. */
  readonly rank?: number;
  /** The number of characters that it keeps in memory. */
  readonly weight: number;
}

/** What a window holds at most. */
export interface WindowLimits {
  readonly items: number;
  readonly characters: number;
}

/** More than Inspector keeps of a session by default (1000 messages). */
const DEFAULT_LIMITS: WindowLimits = { items: 4096, characters: 1 << 25 };

/**
 * Sorts items by time and keeps the order of equal times. It buffers a window of items, so memory use does not depend
 * on the file's size. Items that are late by more than the window are emitted in the order of the file.
 */
export class TimeWindow<Item extends TimedElement> {
  readonly #limits: WindowLimits;
  #items: Item[] = [];
  #weight = 0;

  constructor(limits: WindowLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** The total weight of the items that are held. */
  get weight(): number {
    return this.#weight;
  }

  add(item: Item): void {
    const items = this.#items;
    const last = items.at(-1);
    // Most items belong at the end.
    const isLast = last === undefined || compareTimes(last, item) <= 0;
    items.splice(isLast ? items.length : this.#countWhile((other) => compareTimes(other, item) <= 0), 0, item);
    this.#weight += item.weight;
  }

  /** Removes and returns the first items that exceed the window's capacity. */
  takeOverflow(): Item[] {
    return this.takeDownTo(this.#limits.characters);
  }

  /** Removes and returns the first items, until those that remain have at most this many characters. */
  takeDownTo(characters: number): Item[] {
    let count = 0;
    let weight = this.#weight;
    while (this.#items.length - count > this.#limits.items || (weight > characters && count < this.#items.length)) {
      weight -= this.#items[count++]?.weight ?? 0;
    }
    return this.#take(count);
  }

  /** Removes and returns the items that are earlier than a time. */
  takeBefore(timeMs: number): Item[] {
    return this.#take(this.#countWhile(({ atMs }) => atMs < timeMs));
  }

  takeAll(): Item[] {
    return this.#take(this.#items.length);
  }

  #take(count: number): Item[] {
    if (count === 0) return [];
    const taken = this.#items.splice(0, count);
    for (const { weight } of taken) this.#weight -= weight;
    return taken;
  }

  /** Returns the number of items at the beginning that satisfy a condition that no later one does. */
  #countWhile(isBefore: (item: Item) => boolean): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = this.#items[middle];
      if (item !== undefined && isBefore(item)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compareTimes(a: TimedElement, b: TimedElement): number {
  return a.atMs - b.atMs || (a.rank ?? 0) - (b.rank ?? 0);
}
