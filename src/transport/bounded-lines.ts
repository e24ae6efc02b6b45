import { isAscii } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { type DecodedLine, LineSplitter, type QuickDecoder } from '../json/lines.ts';

/** A line of which too much would have had to be kept: its size, and what tells whether two such lines are equal. */
export interface LongLine {
  readonly size: number;
  /** Of its bytes without the line feed, in hexadecimal. */
  readonly sha256: string;
}

const LINE_FEED = 0x0a;

/** Cuts a stream into lines and keeps at most `limit` bytes of an unfinished one. */
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
    // All of it together is short: nearly always.
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

  /** A line may turn out to be too long with the chunk that ends it. */
  #bounded(line: DecodedLine): DecodedLine | LongLine {
    if ('bytes' in line) return line.bytes.length > this.#limit ? digestOf(line.bytes) : line;
    // A character takes one to three bytes for each unit of its length.
    const isShort = line.text.length * 3 <= this.#limit || Buffer.byteLength(line.text) <= this.#limit;
    return isShort ? line : digestOf(Buffer.from(line.text));
  }
}

/** Whether a line says nothing: it is what JSON calls white space. Any other is something that was said. */
export function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

/** What is said is mostly ASCII, and that needs no decoding. */
const asAscii: QuickDecoder = (bytes) => {
  if (!isAscii(bytes)) return undefined;
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (start, end) => buffer.toString('latin1', start, end);
};

function digestOf(bytes: Uint8Array): LongLine {
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
