/**
 * The records of a journal. Each begins with a header of 32 bytes (little endian): `J`, the kind, two bytes of zero, the
 * length of the payload (4 bytes), the stream (4), four bytes of zero, the time in epoch milliseconds (8, a double) and
 * the stream's offset after the record (8, a double).
 */
export interface JournalRecord {
  readonly kind: RecordKind;
  /** The number of the stream: an index in the head's list of streams. */
  readonly stream: number;
  readonly atMs: number;
  /** How many bytes, or for acts how many acts, the stream had after this record. */
  readonly offset: number;
  /** Valid until the next record is read. */
  readonly payload: Uint8Array;
}

/** What a record holds: bytes of a stream, the end of a stream, or an act as JSON. */
export type RecordKind = 'bytes' | 'end' | 'act';

const KINDS: readonly RecordKind[] = ['bytes', 'end', 'act'];

export const RECORD_HEADER_BYTES = 32;

const MARK = 0x4a;

/** Writes the header of a record into the beginning of `into`. */
export function writeRecordHeader(into: DataView, record: JournalRecord): void {
  into.setUint8(0, MARK);
  into.setUint8(1, KINDS.indexOf(record.kind));
  into.setUint16(2, 0);
  into.setUint32(4, record.payload.length, true);
  into.setUint32(8, record.stream, true);
  into.setUint32(12, 0);
  into.setFloat64(16, record.atMs, true);
  into.setFloat64(24, record.offset, true);
}

/** The header of a record, and the length of its payload. */
interface RecordHeader extends Omit<JournalRecord, 'payload'> {
  readonly length: number;
}

/** Reads the header of a record. Returns `undefined` if these bytes are not one. */
function readRecordHeader(bytes: DataView, at: number): RecordHeader | undefined {
  const kind = KINDS[bytes.getUint8(at + 1)];
  if (bytes.getUint8(at) !== MARK || kind === undefined) return undefined;
  return {
    kind,
    length: bytes.getUint32(at + 4, true),
    stream: bytes.getUint32(at + 8, true),
    atMs: bytes.getFloat64(at + 16, true),
    offset: bytes.getFloat64(at + 24, true),
  };
}

/** Reads bytes of a file into a buffer, from a position, and returns how many. */
export type ReadBytes = (into: Uint8Array, position: number) => number;

/** The most bytes of a stream that are returned at once. */
export const SLICE_BYTES: number = 1 << 16;

/**
 * Reads records one by one. Bytes of a stream come in pieces of at most `SLICE_BYTES`, each as a separate record. A
 * record that is not complete, as after `kill -9`, is not returned: it has not taken effect.
 */
export class JournalReader {
  readonly #read: ReadBytes;
  readonly #buffer = new Uint8Array(SLICE_BYTES + RECORD_HEADER_BYTES);
  readonly #view = new DataView(this.#buffer.buffer);
  /** The position in the file of the next byte to return, and where it is in the buffer. */
  #position: number;
  #at = 0;
  #filled = 0;
  #fileBytes = 0;
  /** The record of which only a part was returned, and how much of it is left. */
  #open: RecordHeader | undefined;
  #left = 0;

  constructor(read: ReadBytes, position: number) {
    this.#read = read;
    this.#position = position;
  }

  /** The position of the next record, or of the rest of the current one. */
  get position(): number {
    return this.#position;
  }

  /** Continues at another position, or at the same one of a file that has changed. */
  moveTo(position: number): void {
    this.#position = position;
    this.#at = 0;
    this.#filled = 0;
    this.#open = undefined;
    this.#left = 0;
  }

  /** Returns the next record, or the next piece of one, of a file with this many bytes. */
  next(fileBytes: number): JournalRecord | undefined {
    this.#fileBytes = fileBytes;
    if (this.#open !== undefined) return this.#piece(this.#open);
    if (!this.#fill(RECORD_HEADER_BYTES)) return undefined;
    const header = readRecordHeader(this.#view, this.#at);
    if (header === undefined) return undefined;
    if (this.#position + RECORD_HEADER_BYTES + header.length > fileBytes) return undefined;
    this.#skip(RECORD_HEADER_BYTES);
    if (header.kind === 'bytes' && header.length > 0) {
      this.#open = header;
      this.#left = header.length;
      return this.#piece(header);
    }
    const { length, ...record } = header;
    return { ...record, payload: this.#whole(length) };
  }

  #piece(header: RecordHeader): JournalRecord {
    const { kind, stream, atMs, offset } = header;
    const size = Math.min(this.#left, SLICE_BYTES);
    const payload = this.#whole(size);
    this.#left -= size;
    if (this.#left === 0) this.#open = undefined;
    return { kind, stream, atMs, offset: offset - this.#left, payload };
  }

  #whole(length: number): Uint8Array {
    if (length <= SLICE_BYTES) {
      this.#fill(length);
      const payload = this.#buffer.subarray(this.#at, this.#at + length);
      this.#skip(length);
      return payload;
    }
    const payload = new Uint8Array(length);
    for (let filled = 0; filled < length; ) {
      const count = this.#read(payload.subarray(filled), this.#position + filled);
      if (count === 0) break;
      filled += count;
    }
    this.moveTo(this.#position + length);
    return payload;
  }

  /** Has this many bytes in the buffer, and more if there are more. Returns false if the file does not have them. */
  #fill(count: number): boolean {
    if (this.#filled - this.#at >= count) return true;
    this.#buffer.copyWithin(0, this.#at, this.#filled);
    this.#filled -= this.#at;
    this.#at = 0;
    while (this.#filled < count) {
      const from = this.#position + this.#filled;
      // Never past the end: what is there may be the rest of a failed write.
      const room = Math.min(this.#buffer.length, this.#filled + this.#fileBytes - from);
      const read = room > this.#filled ? this.#read(this.#buffer.subarray(this.#filled, room), from) : 0;
      if (read === 0) return false;
      this.#filled += read;
    }
    return true;
  }

  #skip(count: number): void {
    this.#position += count;
    this.#at += count;
  }
}
