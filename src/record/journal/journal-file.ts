import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, readSync, writeSync } from 'node:fs';
import { reasonOf } from '../../files/reason.ts';
import { removeQuietly } from '../../files/remove-quietly.ts';
import { renameOverSync } from '../../files/rename-over.ts';
import { type JournalRecord, RECORD_HEADER_BYTES, writeRecordHeader } from './journal-record.ts';

const { O_CREAT, O_EXCL, O_RDWR, O_NOFOLLOW = 0 } = constants;

/** Records up to this size are copied, so that one call of the system writes header and payload. */
const MAX_COPIED = 1 << 18;
const scratch = Buffer.allocUnsafeSlow(MAX_COPIED);
const scratchView = new DataView(scratch.buffer, scratch.byteOffset);

/** The file of a journal, which exists in memory only. Only its owner writes to it. */
export class JournalFile {
  readonly path: string;
  readonly #head: Buffer;
  #descriptor: number;
  #bytes: number;

  /** Throws if the file cannot be created. */
  constructor(path: string, head: string) {
    this.path = path;
    this.#head = Buffer.from(head);
    this.#descriptor = createWith(path, this.#head);
    this.#bytes = this.#head.length;
  }

  /** The size of the file, and with it the position of the next record. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Where the first record begins. */
  get headBytes(): number {
    return this.#head.length;
  }

  /** Appends a record with one write, so that it is there as a whole or not at all. Returns why that failed. */
  append(record: JournalRecord): string | undefined {
    const { length } = record.payload;
    const size = RECORD_HEADER_BYTES + length;
    let [bytes, view] = [scratch, scratchView];
    if (size > MAX_COPIED) {
      bytes = Buffer.allocUnsafeSlow(size);
      view = new DataView(bytes.buffer, bytes.byteOffset);
    }
    writeRecordHeader(view, record);
    bytes.set(record.payload, RECORD_HEADER_BYTES);
    try {
      writeWhole(this.#descriptor, bytes, size, this.#bytes);
    } catch (error) {
      return reasonOf(error);
    }
    this.#bytes += size;
    return undefined;
  }

  readonly read = (into: Uint8Array, position: number): number =>
    readSync(this.#descriptor, into, 0, into.length, position);

  /** Whether its name still stands for this file. When a user logs out, the system may empty the folder. */
  get isInPlace(): boolean {
    try {
      const [own, named] = [fstatSync(this.#descriptor), lstatSync(this.path)];
      return own.ino === named.ino && own.dev === named.dev;
    } catch {
      return false;
    }
  }

  /**
   * Removes all records but the given ones, at no moment of which any of them is missing. Returns why that failed; the
   * file is then unchanged.
   */
  restart(records: readonly JournalRecord[]): string | undefined {
    const isInPlace = this.isInPlace;
    try {
      if (records.length === 0 && isInPlace) {
        ftruncateSync(this.#descriptor, this.#head.length);
        this.#bytes = this.#head.length;
        return undefined;
      }
      this.#replace(records);
      return undefined;
    } catch (error) {
      return reasonOf(error);
    }
  }

  /** Closes the file, and removes it unless something is left in it that is needed. */
  close(isNeeded: boolean): void {
    if (!isNeeded && this.isInPlace) removeQuietly(this.path);
    try {
      closeSync(this.#descriptor);
    } catch {
      // It is closed either way.
    }
  }

  #replace(records: readonly JournalRecord[]): void {
    const next = nextName(this.path);
    removeQuietly(next);
    const before = { descriptor: this.#descriptor, bytes: this.#bytes };
    this.#descriptor = createWith(next, this.#head);
    this.#bytes = this.#head.length;
    try {
      for (const record of records) {
        const fault = this.append(record);
        if (fault !== undefined) throw new Error(fault);
      }
      renameOverSync(next, this.path);
    } catch (error) {
      closeSync(this.#descriptor);
      removeQuietly(next);
      this.#descriptor = before.descriptor;
      this.#bytes = before.bytes;
      throw error;
    }
    closeSync(before.descriptor);
  }
}

/** The name of the file that takes the place of a journal. */
export function nextName(path: string): string {
  return `${path}.new`;
}

function createWith(path: string, head: Buffer): number {
  const descriptor = openSync(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW, 0o600);
  try {
    writeWhole(descriptor, head, head.length, 0);
  } catch (error) {
    closeSync(descriptor);
    removeQuietly(path);
    throw error;
  }
  return descriptor;
}

/** The first write is of everything. A file system that is full may take a part. */
function writeWhole(descriptor: number, bytes: Buffer, size: number, position: number): void {
  for (let written = 0; written < size; ) {
    written += writeSync(descriptor, bytes, written, size - written, position + written);
  }
}
