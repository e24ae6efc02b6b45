const WORD_BITS = 5;
const WORD = 1 << WORD_BITS;
/** Entries for which the number of members before them is stored. */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
const WORDS_IN_BLOCK = BLOCK >>> WORD_BITS;

/** The indexes of the entries that have a row, in order: one bit per entry, and a count for every 1,024 of them. */
export class RowSet {
  #bits = new Uint32Array(WORDS_IN_BLOCK);
  /** The number of members in each block. */
  readonly #counts: number[] = [];
  /** The number of members before each block, as far as it is known. */
  readonly #before: number[] = [0];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  has(index: number): boolean {
    return (((this.#bits[index >>> WORD_BITS] ?? 0) >>> (index & (WORD - 1))) & 1) === 1;
  }

  add(index: number): void {
    if (!this.has(index)) this.#flip(index, 1);
  }

  delete(index: number): void {
    if (this.has(index)) this.#flip(index, -1);
  }

  clear(): void {
    this.#bits = new Uint32Array(WORDS_IN_BLOCK);
    this.#counts.length = 0;
    this.#before.length = 1;
    this.#length = 0;
  }

  /** The member at this position. */
  at(position: number): number | undefined {
    if (!(position >= 0 && position < this.#length)) return undefined;
    let low = 0;
    let high = this.#counts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#beforeBlock(middle) <= position) low = middle;
      else high = middle - 1;
    }
    let left = position - this.#beforeBlock(low);
    for (let word = low * WORDS_IN_BLOCK; ; word++) {
      const bits = this.#bits[word] ?? 0;
      const count = bitsIn(bits);
      if (left < count) return (word << WORD_BITS) + placeOfBit(bits, left);
      left -= count;
    }
  }

  /** The number of members before an index. */
  before(index: number): number {
    const block = Math.min(index >>> BLOCK_BITS, this.#counts.length);
    let count = this.#beforeBlock(block);
    for (let word = block * WORDS_IN_BLOCK; word < index >>> WORD_BITS; word++) count += bitsIn(this.#bits[word] ?? 0);
    const last = this.#bits[index >>> WORD_BITS] ?? 0;
    return count + bitsIn(last & ((1 << (index & (WORD - 1))) - 1));
  }

  #flip(index: number, change: 1 | -1): void {
    const word = index >>> WORD_BITS;
    if (word >= this.#bits.length) {
      const longer = new Uint32Array(Math.max(word + 1, this.#bits.length * 2));
      longer.set(this.#bits);
      this.#bits = longer;
    }
    this.#bits[word] = (this.#bits[word] ?? 0) ^ (1 << (index & (WORD - 1)));
    const block = index >>> BLOCK_BITS;
    while (this.#counts.length <= block) this.#counts.push(0);
    this.#counts[block] = (this.#counts[block] ?? 0) + change;
    this.#length += change;
    if (this.#before.length > block + 1) this.#before.length = block + 1;
  }

  #beforeBlock(block: number): number {
    for (let next = this.#before.length; next <= block; next++) {
      this.#before.push((this.#before[next - 1] ?? 0) + (this.#counts[next - 1] ?? 0));
    }
    return this.#before[block] ?? 0;
  }
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The place of the set bit with this number, from 0. */
function placeOfBit(word: number, number: number): number {
  let rest = word;
  for (let skipped = 0; skipped < number; skipped++) rest &= rest - 1;
  return 31 - Math.clz32(rest & -rest);
}
