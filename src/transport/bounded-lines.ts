import { isAscii } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { type DecodedLine, LineSplitter, type QuickDecoder } from '../json/lines.ts';

/** A line that is too long to keep: its size, and a hash to compare it with others. */
export interface LongLine {
  readonly size: number;
  /** Hex digest of the bytes without the line feed. */
  readonly sha256: string;
}

/** Longer messages are recorded only by size and hash. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 128 << 20;

const LINE_FEED = 0x0a;

/** Splits a stream into lines, and keeps at most `limit` bytes of an unfinished one. */
export class BoundedLines {
  readonly #limit: number;
  readonly #lines = new LineSplitter(asAscii);
  #hash: Hash | undefined;
  #hashedBytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Uint8Array): (DecodedLine | LongLine)[] {
    if (this.#hash === undefined) return this.#pushWhole(chunk);
    const end = chunk.indexOf(LINE_FEED);
    this.#skip(end < 0 ? chunk : chunk.subarray(0, end));
    return end < 0 ? [] : [this.#longLine(this.#hash), ...this.#pushWhole(chunk.subarray(end + 1))];
  }

  end(): (DecodedLine | LongLine)[] {
    if (this.#hash !== undefined) return [this.#longLine(this.#hash)];
    return this.#lines.end().map((line) => this.#bounded(line));
  }

  #pushWhole(chunk: Uint8Array): (DecodedLine | LongLine)[] {
    if (chunk.length === 0) return [];
    const maxBytes = this.#lines.pendingBytes + chunk.length;
    const lines = this.#lines.push(chunk);
    // Nearly always, pending bytes and chunk together are within the limit.
    if (maxBytes <= this.#limit) return lines;
    const bounded = lines.map((line) => this.#bounded(line));
    if (this.#lines.pendingBytes > this.#limit) {
      this.#hash = createHash('sha256');
      for (const part of this.#lines.takePending()) this.#skip(part);
    }
    return bounded;
  }

  #skip(part: Uint8Array): void {
    this.#hash?.update(part);
    this.#hashedBytes += part.length;
  }

  #longLine(hash: Hash): LongLine {
    const line = { size: this.#hashedBytes, sha256: hash.digest('hex') };
    this.#hash = undefined;
    this.#hashedBytes = 0;
    return line;
  }

  /** The chunk that ends a line may make it too long. */
  #bounded(line: DecodedLine): DecodedLine | LongLine {
    if ('bytes' in line) return line.bytes.length > this.#limit ? digestOf(line.bytes) : line;
    // A UTF-16 code unit takes one to three bytes in UTF-8.
    const isShort = line.text.length * 3 <= this.#limit || Buffer.byteLength(line.text) <= this.#limit;
    return isShort ? line : digestOf(Buffer.from(line.text));
  }
}

/** Whether a line is empty or holds only JSON whitespace. */
export function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

/** Most traffic is ASCII, which needs no UTF-8 decoding. */
const asAscii: QuickDecoder = (bytes) => {
  if (!isAscii(bytes)) return undefined;
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (start, end) => buffer.toString('latin1', start, end);
};

function digestOf(bytes: Uint8Array): LongLine {
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
