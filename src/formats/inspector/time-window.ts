/** Something with a time and a size. */
export interface TimedElement {
  readonly atMs: number;
  /** How many characters it keeps in memory. */
  readonly weight: number;
}

/** More than Inspector keeps of a session (1000 messages) unless it is told to keep all. */
const MAX_ITEMS = 4096;
const MAX_CHARACTERS = 1 << 25;

/**
 * Puts things in the order of their times; equal times stay as they came. It holds back a window of them, so that a
 * file of any size takes the same memory: what comes late by more than the window is given out as it comes.
 */
export class TimeWindow<Item extends TimedElement> {
  #items: Item[] = [];
  #weight = 0;

  add(item: Item): void {
    let low = 0;
    let high = this.#items.length;
    // Mostly it belongs at the end.
    if (high > 0 && (this.#items[high - 1]?.atMs ?? 0) <= item.atMs) low = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#items[middle]?.atMs ?? 0) <= item.atMs) low = middle + 1;
      else high = middle;
    }
    this.#items.splice(low, 0, item);
    this.#weight += item.weight;
  }

  /** The first ones, as far as there are more than the window holds. */
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
