import { createHash, type Hash } from 'node:crypto';
import type { LongLine } from '../transport/bounded-lines.ts';

/** Gathers a body, and keeps of one beyond the limit only its size and hash. */
export class BoundedBody {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #hash: Hash | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#hash !== undefined) this.#hash.update(chunk);
    else this.#chunks.push(chunk);
    if (this.#hash !== undefined || this.#size <= this.#limit) return;
    this.#hash = createHash('sha256');
    for (const kept of this.#chunks) this.#hash.update(kept);
    this.#chunks = [];
  }

  end(): Uint8Array | LongLine {
    if (this.#hash !== undefined) return { size: this.#size, sha256: this.#hash.digest('hex') };
    const [first] = this.#chunks;
    return first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }
}
