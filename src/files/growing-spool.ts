import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAt } from './file-source.ts';
import { ThrowawayCipher } from './spool.ts';

/**
 * Bytes in an encrypted temporary file that only this process can read, for a session that does not fit in memory. The
 * file is created when it is first needed, and has no name where the platform permits that.
 */
export class GrowingSpool {
  readonly #cipher = new ThrowawayCipher();
  #file: number | undefined;
  #folder: string | undefined;
  #size = 0;

  /** Appends bytes; returns the offset of the first one. Throws if the disk is full. */
  append(bytes: Uint8Array): number {
    this.#file ??= this.#create();
    const start = this.#size;
    const sealed = this.#cipher.open(bytes, start);
    for (let done = 0; done < sealed.length; ) {
      done += writeSync(this.#file, sealed, done, sealed.length - done, start + done);
    }
    this.#size += bytes.length;
    return start;
  }

  readNow(start: number, end: number): Uint8Array {
    return this.#file === undefined ? Buffer.alloc(0) : this.#cipher.open(readAt(this.#file, start, end), start);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#remove();
  }

  #create(): number {
    this.#folder = mkdtempSync(join(tmpdir(), 'mcpreel-'));
    const file = openSync(join(this.#folder, 'session'), 'wx+', 0o600);
    // Windows keeps the name of an open file.
    this.#remove();
    return file;
  }

  #remove(): void {
    try {
      if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
      this.#folder = undefined;
    } catch {
      // It is tried again at the end.
    }
  }
}
