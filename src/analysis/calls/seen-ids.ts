/** The low bits of a number are its index in a block: 65,536 numbers share one bitmap of 8 KiB. */
const BLOCK_BITS = 16;

/**
 * Remembers which ids occurred before. Most captures use increasing ids, and one bit per id takes a hundredth of the
 * memory of a set.
 */
export class SeenIds {
  readonly #blocks = new Map<number, Uint32Array>();
  readonly #others = new Set<string>();

  /** Records an id; returns whether it is new. A number must be an integer from 0 to 2^31 - 1. */
  add(id: string | number): boolean {
    if (typeof id === 'number') return this.#addNumber(id);
    const before = this.#others.size;
    return this.#others.add(id).size > before;
  }

  #addNumber(id: number): boolean {
    const blockNumber = id >>> BLOCK_BITS;
    let block = this.#blocks.get(blockNumber);
    if (block === undefined) {
      block = new Uint32Array(1 << (BLOCK_BITS - 5));
      this.#blocks.set(blockNumber, block);
    }
    const place = (id & 0xffff) >>> 5;
    const bit = 1 << (id & 31);
    const word = block[place] ?? 0;
    block[place] = word | bit;
    return (word & bit) === 0;
  }
}
