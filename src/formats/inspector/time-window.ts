/** An item with a time and a size. */
export interface TimedElement {
  readonly atMs: number;
  /** The number of characters that it keeps in memory. */
  readonly weight: number;
}

/** More than Inspector keeps of a session by default (1000 messages). */
const MAX_ITEMS = 4096;
const MAX_CHARACTERS = 1 << 25;

/**
 * Sorts items by time and keeps the order of equal times. It buffers a window of items, so memory use does not depend
 * on the file's size. Items that are late by more than the window are emitted in the order of the file.
 */
export class TimeWindow<Item extends TimedElement> {
  #items: Item[] = [];
  #weight = 0;

  add(item: Item): void {
    let low = 0;
    let high = this.#items.length;
    // Most items belong at the end.
    if (high > 0 && (this.#items[high - 1]?.atMs ?? 0) <= item.atMs) low = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#items[middle]?.atMs ?? 0) <= item.atMs) low = middle + 1;
      else high = middle;
    }
    this.#items.splice(low, 0, item);
    this.#weight += item.weight;
  }

  /** Removes and returns the first items that exceed the window's capacity. */
  takeOverflow(): Item[] {
    let count = 0;
    while (this.#items.length - count > MAX_ITEMS || this.#weight > MAX_CHARACTERS) {
      this.#weight -= this.#items[count++]?.weight ?? 0;
    }
    return count === 0 ? [] : this.#items.splice(0, count);
  }

  takeAll(): Item[] {
    const items = this.#items;
    this.#items = [];
    this.#weight = 0;
    return items;
  }
}
