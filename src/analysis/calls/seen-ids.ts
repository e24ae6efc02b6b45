/** A number's place in a block: 65,536 numbers share one bitmap of 8 KiB. */
const BLOCK_BITS = 16;

/**
 * Which ids were seen before. Most captures count their ids up, and a bit for each takes a hundredth of what a set of
 * them would.
 */
export class SeenIds {
  readonly #blocks = new Map<number, Uint32Array>();
  readonly #others = new Set<string>();

  /** Notes an id; tells whether it is new. A number is a whole one below 2^31. */
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
