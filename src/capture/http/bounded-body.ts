import { createHash, type Hash } from 'node:crypto';
import type { LongLine } from '../../transport/bounded-lines.ts';

/** Collects a body; beyond the limit, it keeps only size and hash. */
export class BoundedBody {
  readonly #limit: number;
  /** Most bodies arrive in one chunk. */
  #first: Uint8Array | undefined;
  #more: Uint8Array[] | undefined;
  #size = 0;
  #hash: Hash | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#hash !== undefined) this.#hash.update(chunk);
    else if (this.#size > this.#limit) this.#startHash(chunk);
    else if (this.#first === undefined) this.#first = chunk;
    else if (this.#more === undefined) this.#more = [this.#first, chunk];
    else this.#more.push(chunk);
  }

  end(): Uint8Array | LongLine {
    if (this.#hash !== undefined) return { size: this.#size, sha256: this.#hash.digest('hex') };
    return this.#more === undefined ? (this.#first ?? new Uint8Array()) : Buffer.concat(this.#more);
  }

  #startHash(chunk: Uint8Array): void {
    this.#hash = createHash('sha256');
    for (const kept of this.#more ?? (this.#first ? [this.#first] : [])) this.#hash.update(kept);
    this.#hash.update(chunk);
    this.#first = undefined;
    this.#more = undefined;
  }
}
