import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { FileSource } from './file-source.ts';
import { gatherBytes } from './gather-bytes.ts';
import type { FilePieces } from './replace-file.ts';

/** It encrypts by counting blocks, so that one can begin at any of them. */
const ALGORITHM = 'aes-256-ctr';
const KEY_BYTES = 32;
const BLOCK_BYTES = 16;

/** Encrypts one file with a key that exists in this process only: whoever finds the file later finds nothing in it. */
export class ThrowawayCipher {
  readonly #key = randomBytes(KEY_BYTES);

  async *sealed(pieces: FilePieces): AsyncGenerator<Uint8Array> {
    const cipher = createCipheriv(ALGORITHM, this.#key, counterAt(0));
    for await (const bytes of gatherBytes(pieces)) yield cipher.update(bytes);
  }

  /** What the sealed file was made of, under another name. */
  opened(sealed: FileSource, name: string): FileSource {
    return { name, size: sealed.size, read: (start, end) => this.#read(sealed, start, end) };
  }

  async *#read(sealed: FileSource, start: number, end: number): AsyncGenerator<Uint8Array> {
    const block = Math.floor(start / BLOCK_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.#key, counterAt(block));
    // What stands before the wanted bytes in their block moves the cipher on to them.
    decipher.update(Buffer.alloc(start - block * BLOCK_BYTES));
    for await (const bytes of sealed.read(start, end)) yield decipher.update(bytes);
  }
}

function counterAt(block: number): Buffer {
  const counter = Buffer.alloc(BLOCK_BYTES);
  counter.writeBigUInt64BE(BigInt(block), BLOCK_BYTES - 8);
  return counter;
}
