/** A pseudo-random generator that returns the same numbers for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A generator that depends only on some bytes, for choices that must repeat with the same input. */
  static of(bytes: Uint8Array): Random {
    let hash = 0x811c9dc5;
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
    return new Random(hash ^ bytes.length);
  }

  /** An integer from 0 to `count` - 1. */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 0x1_0000_0000) * count);
  }

  /** True once in `count` times on average. */
  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error('There is nothing to choose from');
    return chosen;
  }

  /** This many positions, in order, at which data of this length is cut. */
  cuts(length: number, count: number): number[] {
    return Array.from({ length: count }, () => this.below(length + 1)).sort((a, b) => a - b);
  }
}

/** Derives a target's seed from its name, so that targets with one seed get different inputs. */
export function seedOf(name: string, seed: number): number {
  return Random.of(new TextEncoder().encode(name)).below(0x1_0000_0000) ^ Math.imul(seed, 0x9e3779b1);
}
