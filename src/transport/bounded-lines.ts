import { isAscii } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { copyBytes, type DecodedLine, LineSplitter, type QuickDecoder } from '../json/lines.ts';
import { EnvelopeScan, type ScannedEnvelope } from '../protocol/envelope-scan.ts';

/** A line that is too long to keep: its size, and a hash to compare it with others. */
export interface LongLine {
  readonly size: number;
  /** Hex digest of the bytes without the line feed. */
  readonly sha256: string;
  /** The offset in the stream after it and its line feed. */
  readonly end?: number | undefined;
  /** The envelopes of the objects in it, if they were asked for. */
  readonly envelopes?: readonly ScannedEnvelope[] | undefined;
}

/** Longer messages are recorded only by size and hash. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 128 << 20;

const LINE_FEED = 0x0a;

/** Splits a stream into lines, and keeps at most `limit` bytes of an unfinished one. */
export class BoundedLines {
  readonly #limit: number;
  readonly #readsEnvelopes: boolean;
  readonly #lines = new LineSplitter(asAscii);
  #long: SkippedLine | undefined;

  /** @param readsEnvelopes Whether to look for envelopes in lines that are too long. */
  constructor(limit: number, readsEnvelopes = false) {
    this.#limit = limit;
    this.#readsEnvelopes = readsEnvelopes;
  }

  push(chunk: Uint8Array): (DecodedLine | LongLine)[] {
    if (this.#long === undefined) return this.#pushWhole(chunk);
    const end = chunk.indexOf(LINE_FEED);
    this.#lines.skip(end < 0 ? chunk.length : end + 1);
    this.#long.push(end < 0 ? chunk : chunk.subarray(0, end));
    return end < 0 ? [] : [...this.#longLine(), ...this.#pushWhole(chunk.subarray(end + 1))];
  }

  end(): (DecodedLine | LongLine)[] {
    if (this.#long !== undefined) return this.#longLine();
    return this.#lines.end().map((line) => this.#bounded(line));
  }

  /** The beginning of an unfinished line; `undefined` if it is too long and not kept. */
  get pending(): readonly Uint8Array[] | undefined {
    return this.#long === undefined ? this.#lines.pending : undefined;
  }

  /** The number of bytes of an unfinished line that are kept. */
  get pendingBytes(): number {
    return this.#long === undefined ? this.#lines.pendingBytes : 0;
  }

  /**
   * Ends an unfinished line with the next bytes, up to a line feed at `end`, and hands over its parts instead of decoding
   * it. The next bytes to push are those after the line feed.
   */
  takeLine(chunk: Uint8Array, end: number): { readonly parts: readonly Uint8Array[]; readonly end: number } {
    const parts = [...this.#lines.takePending(), copyBytes(chunk.subarray(0, end))];
    this.#lines.skip(end + 1);
    return { parts, end: this.#lines.takenBytes };
  }

  #pushWhole(chunk: Uint8Array): (DecodedLine | LongLine)[] {
    if (chunk.length === 0) return [];
    const maxBytes = this.#lines.pendingBytes + chunk.length;
    const lines = this.#lines.push(chunk);
    // Nearly always, pending bytes and chunk together are within the limit.
    if (maxBytes <= this.#limit) return lines;
    const bounded = lines.map((line) => this.#bounded(line));
    if (this.#lines.pendingBytes > this.#limit) {
      this.#long = new SkippedLine(this.#readsEnvelopes);
      for (const part of this.#lines.takePending()) this.#long.push(part);
    }
    return bounded;
  }

  #longLine(): LongLine[] {
    const line = this.#long?.end(this.#lines.takenBytes);
    this.#long = undefined;
    return line === undefined ? [] : [line];
  }

  /** The chunk that ends a line may make it too long. */
  #bounded(line: DecodedLine): DecodedLine | LongLine {
    if ('bytes' in line) return line.bytes.length > this.#limit ? this.#digestOf(line.bytes, line.end) : line;
    // A UTF-16 code unit takes one to three bytes in UTF-8.
    const isShort = line.text.length * 3 <= this.#limit || Buffer.byteLength(line.text) <= this.#limit;
    return isShort ? line : this.#digestOf(Buffer.from(line.text), line.end);
  }

  #digestOf(bytes: Uint8Array, end: number | undefined): LongLine {
    const line = new SkippedLine(this.#readsEnvelopes);
    line.push(bytes);
    return line.end(end);
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

/** What is known of a line whose bytes are not kept. */
class SkippedLine {
  readonly #hash: Hash = createHash('sha256');
  readonly #scan: EnvelopeScan | undefined;
  #size = 0;

  constructor(readsEnvelopes: boolean) {
    this.#scan = readsEnvelopes ? new EnvelopeScan() : undefined;
  }

  push(part: Uint8Array): void {
    this.#hash.update(part);
    this.#scan?.push(part);
    this.#size += part.length;
  }

  end(end: number | undefined): LongLine {
    const line = { size: this.#size, sha256: this.#hash.digest('hex'), end };
    return this.#scan === undefined ? line : { ...line, envelopes: this.#scan.end() };
  }
}
