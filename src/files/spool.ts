import { createCipheriv, createDecipheriv, type Decipher, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReelError } from '../model/errors.ts';
import { type FileSource, openFileSource } from './file-source.ts';
import { gatherBytes } from './gather-bytes.ts';
import { reasonOf } from './reason.ts';
import type { FilePieces } from './replace-file.ts';
import { replaceFile } from './replace-file.ts';
import { temporaryVariable } from './temporary-variable.ts';

/** A stream that was copied to a temporary file for random access. */
export interface Spool {
  readonly source: FileSource;
  /** Whether the file was encrypted that this is the plaintext of. */
  readonly wasEncrypted?: boolean;
  remove(): Promise<void>;
}

/**
 * Copies a stream into an encrypted temporary file that only this process can read. The stream may contain secrets or
 * decrypted data.
 */
export async function spoolStream(stream: FilePieces, name: string): Promise<Spool> {
  const folder = await temporaryFolder();
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'input');
    const cipher = new ThrowawayCipher();
    await replaceFile(path, cipher.sealed(stream));
    return { source: cipher.opened(await openFileSource(path), name), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'mcpreel-'));
  } catch (cause) {
    throw new ReelError('file-unwritable', `Cannot write to ${tmpdir()}: ${reasonOf(cause)}`, {
      hint: `Set ${temporaryVariable()} to a writable folder.`,
      cause,
    });
  }
}

/** A counter mode, so that decryption can start at any block. */
const ALGORITHM = 'aes-256-ctr';
const KEY_BYTES = 32;
const BLOCK_BYTES = 16;

/** Encrypts one file with a key that exists only in this process. Without the key, a leftover file cannot be read. */
export class ThrowawayCipher {
  readonly #key: Buffer = randomBytes(KEY_BYTES);

  async *sealed(pieces: FilePieces): AsyncGenerator<Uint8Array> {
    const cipher = createCipheriv(ALGORITHM, this.#key, counterAt(0));
    for await (const bytes of gatherBytes(pieces)) yield cipher.update(bytes);
  }

  /** Returns the decrypted content of the encrypted file, under another name. */
  opened(sealed: FileSource, name: string): FileSource {
    return {
      name,
      size: sealed.size,
      read: (start, end) => this.#read(sealed, start, end),
      readNow: (start, end) => this.open(sealed.readNow(start, end), start),
    };
  }

  /** Encrypts or decrypts bytes of the file, which begin at this offset. */
  open(bytes: Uint8Array, start: number): Buffer {
    return this.#at(start).update(bytes);
  }

  async *#read(sealed: FileSource, start: number, end: number): AsyncGenerator<Uint8Array> {
    const decipher = this.#at(start);
    for await (const bytes of sealed.read(start, end)) yield decipher.update(bytes);
  }

  #at(start: number): Decipher {
    const block = Math.floor(start / BLOCK_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.#key, counterAt(block));
    // Advance the cipher within its block to the first requested byte.
    decipher.update(Buffer.alloc(start - block * BLOCK_BYTES));
    return decipher;
  }
}

function counterAt(block: number): Buffer {
  const counter = Buffer.alloc(BLOCK_BYTES);
  counter.writeBigUInt64BE(BigInt(block), BLOCK_BYTES - 8);
  return counter;
}
