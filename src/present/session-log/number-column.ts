type TypedNumbers = Uint16Array | Uint32Array | Float64Array;

/** Numbers per typed array. */
const SEGMENT_BITS = 14;
const SEGMENT = 1 << SEGMENT_BITS;

/** A list of numbers, all 0 until set, in typed arrays: it grows without copying and holds nothing but the numbers. */
export class NumberColumn {
  readonly #segments: TypedNumbers[] = [];
  readonly #make: (length: number) => TypedNumbers;

  constructor(make: (length: number) => TypedNumbers) {
    this.#make = make;
  }

  get(index: number): number {
    return this.#segments[index >>> SEGMENT_BITS]?.[index & (SEGMENT - 1)] ?? 0;
  }

  set(index: number, value: number): void {
    const segment = index >>> SEGMENT_BITS;
    while (this.#segments.length <= segment) this.#segments.push(this.#make(SEGMENT));
    const numbers = this.#segments[segment];
    if (numbers !== undefined) numbers[index & (SEGMENT - 1)] = value;
  }
}
