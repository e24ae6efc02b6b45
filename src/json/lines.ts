/** Decodes UTF-8 streams line by line, with helpers for byte arrays. */

/** A line of the input, without its line feed. */
export type DecodedLine = TextLine | BinaryLine;

export interface TextLine {
  readonly text: string;
  /** The offset of its first byte in the input, if it was read from one. */
  readonly start?: number;
  /** The offset after it and its line feed, if it was read from an input. */
  readonly end?: number;
  /** False for a last line without a line feed. */
  readonly ended: boolean;
}

/** A line that is not valid UTF-8. */
export interface BinaryLine {
  readonly bytes: Uint8Array;
  /** The offset in the line of the first byte that cannot be decoded. */
  readonly faultOffset: number;
  readonly end?: number;
  readonly ended: boolean;
}

/**
 * A decoder for parts of a block that is faster than the portable one; `undefined` if it does not support these bytes.
 * Bytes that it supports are valid UTF-8.
 */
export type QuickDecoder = (bytes: Uint8Array) => ((start: number, end: number) => string) | undefined;

const LINE_FEED = 0x0a;
const NO_BYTES = new Uint8Array(0);
/** The pending bytes of longer lines are collected in one buffer, if the length of the input is known. */
const LONG_LINE = 1 << 20;

/**
 * Splits a byte stream into lines at line feeds only (a bare CR or U+2028 is content), independent of chunk boundaries.
 * Only whole lines are decoded, so a character split over two chunks is decoded correctly.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #quick: QuickDecoder;
  readonly #expectedBytes: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** The number of bytes taken so far. */
  #takenBytes = 0;
  /** A buffer for a long line, which saves a copy of it. */
  #long: Uint8Array | undefined;

  /** `expectedBytes` is the length of the input, if it is known. */
  constructor(quick: QuickDecoder = () => undefined, expectedBytes = 0) {
    this.#quick = quick;
    this.#expectedBytes = expectedBytes;
  }

  /** Takes the next bytes (the caller may reuse the buffer) and returns the lines that they complete. */
  push(chunk: Uint8Array): DecodedLine[] {
    const last = chunk.lastIndexOf(LINE_FEED);
    const at = this.#takenBytes;
    this.#takenBytes += chunk.length;
    if (last < 0) {
      this.#keep(chunk);
      return [];
    }
    const lines: DecodedLine[] = [];
    let start = 0;
    if (this.#pendingBytes > 0) {
      start = chunk.indexOf(LINE_FEED) + 1;
      const began = at - this.#pendingBytes;
      lines.push(this.#decodeLine(this.#take(chunk.subarray(0, start - 1)), true, began, at + start));
    }
    const block = start === 0 && last + 1 === chunk.length ? chunk : chunk.subarray(start, last + 1);
    this.#decodeBlock(block, at + start, lines);
    if (last + 1 < chunk.length) this.#keep(chunk.subarray(last + 1));
    return lines;
  }

  /** Returns the last line, if the input did not end with a line feed. */
  end(): DecodedLine[] {
    const began = this.#takenBytes - this.#pendingBytes;
    const rest = this.#take(NO_BYTES);
    return rest.length === 0 ? [] : [this.#decodeLine(rest, false, began, this.#takenBytes)];
  }

  /** Counts bytes of the input that are not passed to `push`. */
  skip(bytes: number): void {
    this.#takenBytes += bytes;
  }

  /** The number of bytes taken so far. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** The buffered beginning of an unfinished line. */
  get pending(): readonly Uint8Array[] {
    return this.#long === undefined ? this.#pending : [this.#long.subarray(0, this.#pendingBytes)];
  }

  /** The number of buffered bytes of an unfinished line. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Hands over the buffered beginning of an unfinished line; the next bytes then begin a new line. */
  takePending(): Uint8Array[] {
    const parts = this.#long === undefined ? this.#pending : [this.#long.subarray(0, this.#pendingBytes)];
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#long = undefined;
    return parts;
  }

  #keep(chunk: Uint8Array): void {
    const end = this.#pendingBytes + chunk.length;
    if (this.#long === undefined && end > LONG_LINE && this.#takenBytes < this.#expectedBytes) {
      // Memory that is never written to is never occupied.
      this.#long = new Uint8Array(end + this.#expectedBytes - this.#takenBytes);
      concatBytes(this.#pending, this.#long);
      this.#pending = [];
    }
    if (this.#long === undefined || end > this.#long.length) this.#pending.push(...this.#longPart(), copyBytes(chunk));
    else this.#long.set(chunk, this.#pendingBytes);
    this.#pendingBytes = end;
  }

  /** The beginning of a long line, if the input is longer than expected. */
  #longPart(): Uint8Array[] {
    const part = this.#long?.subarray(0, this.#pendingBytes);
    this.#long = undefined;
    return part === undefined ? [] : [part];
  }

  #take(tail: Uint8Array): Uint8Array {
    if (this.#pendingBytes === 0) return tail;
    const end = this.#pendingBytes + tail.length;
    if (this.#long === undefined || end > this.#long.length) return concatBytes([...this.takePending(), tail]);
    this.#long.set(tail, this.#pendingBytes);
    this.#pendingBytes = end;
    return this.takePending()[0] ?? tail;
  }

  #decodeBlock(block: Uint8Array, at: number, lines: DecodedLine[]): void {
    const quick = this.#quick(block);
    // Each line is decoded separately: a slice of a larger string is slower to scan and keeps the whole string in
    // memory.
    for (let start = 0; start < block.length; ) {
      const end = block.indexOf(LINE_FEED, start);
      const after = at + end + 1;
      if (quick === undefined) lines.push(this.#decodeLine(block.subarray(start, end), true, at + start, after));
      else lines.push({ text: quick(start, end), ended: true, start: at + start, end: after });
      start = end + 1;
    }
  }

  #decodeLine(bytes: Uint8Array, ended: boolean, start: number, end: number): DecodedLine {
    const text = tryDecode(this.#decoder, bytes);
    return text === undefined
      ? { bytes: copyBytes(bytes), faultOffset: findInvalidUtf8(bytes), ended, end }
      : { text, ended, start, end };
  }
}

/** Decodes UTF-8; `undefined` if the bytes are not valid UTF-8 or longer than a string can be. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return tryDecode(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), bytes);
}

function tryDecode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The offset of the first byte that is not part of a well-formed UTF-8 sequence; the length if there is no such byte.
 */
export function findInvalidUtf8(bytes: Uint8Array): number {
  // Binary search for the longest prefix that decodes as a stream, where a truncated last character is not an error.
  let good = 0;
  let bad = bytes.length + 1;
  while (good + 1 < bad) {
    const middle = (good + bad) >> 1;
    if (decodesAsStream(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  const prefix = bytes.subarray(0, good);
  return decodeUtf8(prefix) === undefined ? sequenceStart(prefix) : good;
}

function decodesAsStream(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The offset of the incomplete character at the end. */
function sequenceStart(bytes: Uint8Array): number {
  let i = bytes.length - 1;
  while (i > 0 && ((bytes[i] ?? 0) & 0xc0) === 0x80) i--;
  return i;
}

/** Copies bytes into a buffer of their own. `slice` of a Node `Buffer` only returns a view. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/** Joins byte arrays, at the beginning of `whole` if it is given. */
export function concatBytes(
  parts: readonly Uint8Array[],
  whole: Uint8Array = new Uint8Array(parts.reduce((total, part) => total + part.length, 0)),
): Uint8Array {
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Whether a short byte sequence occurs in a long one. Horspool's algorithm skips most of the long one. */
export function includesBytes(bytes: Uint8Array, needle: Uint8Array): boolean {
  const last = needle.length - 1;
  const shifts = new Uint8Array(256).fill(Math.min(needle.length, 255));
  for (let i = 0; i < last; i++) shifts[needle[i] as number] = Math.min(last - i, 255);
  for (let end = last; end < bytes.length; end += shifts[bytes[end] as number] as number) {
    let i = last;
    while (i >= 0 && bytes[end - last + i] === needle[i]) i--;
    if (i < 0) return true;
  }
  return false;
}
