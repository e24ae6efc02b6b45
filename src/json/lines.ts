/** A line as it stood in the input, without its line feed. */
export type DecodedLine = TextLine | BinaryLine;

export interface TextLine {
  readonly text: string;
  /** False for a last line that no line feed ended. */
  readonly ended: boolean;
}

/** A line that is no UTF-8. */
export interface BinaryLine {
  readonly bytes: Uint8Array;
  /** Where in the line the first byte stands that cannot be decoded. */
  readonly faultOffset: number;
  readonly ended: boolean;
}

/**
 * Decodes parts of some bytes faster than is possible everywhere; `undefined` for bytes that it cannot do that with. They
 * are UTF-8 if it can.
 */
export type QuickDecoder = (bytes: Uint8Array) => ((start: number, end: number) => string) | undefined;

const LINE_FEED = 0x0a;
const NO_BYTES = new Uint8Array(0);

/**
 * Cuts bytes into lines at line feeds alone (a bare CR, U+2028 and the like are content), whatever the chunks they
 * arrive in. A character split over two chunks is decoded whole, because only whole lines are decoded.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #quick: QuickDecoder;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  constructor(quick: QuickDecoder = () => undefined) {
    this.#quick = quick;
  }

  /** Takes the next bytes (which the caller may reuse afterwards) and returns the lines they completed. */
  push(chunk: Uint8Array): DecodedLine[] {
    const last = chunk.lastIndexOf(LINE_FEED);
    if (last < 0) {
      this.#keep(chunk);
      return [];
    }
    const lines: DecodedLine[] = [];
    let start = 0;
    if (this.#pendingBytes > 0) {
      start = chunk.indexOf(LINE_FEED) + 1;
      lines.push(this.#decodeLine(this.#take(chunk.subarray(0, start - 1)), true));
    }
    this.#decodeBlock(start === 0 && last + 1 === chunk.length ? chunk : chunk.subarray(start, last + 1), lines);
    if (last + 1 < chunk.length) this.#keep(chunk.subarray(last + 1));
    return lines;
  }

  /** The last line, if the input did not end with a line feed. */
  end(): DecodedLine[] {
    const rest = this.#take(NO_BYTES);
    return rest.length === 0 ? [] : [this.#decodeLine(rest, false)];
  }

  /** How many bytes of an unfinished line are being kept. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Gives away the beginning of an unfinished line; what follows is taken for the beginning of another. */
  takePending(): Uint8Array[] {
    const parts = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    return parts;
  }

  #keep(chunk: Uint8Array): void {
    this.#pending.push(copyBytes(chunk));
    this.#pendingBytes += chunk.length;
  }

  #take(tail: Uint8Array): Uint8Array {
    return this.#pending.length === 0 ? tail : concatBytes([...this.takePending(), tail]);
  }

  #decodeBlock(block: Uint8Array, lines: DecodedLine[]): void {
    const quick = this.#quick(block);
    // Each line is decoded on its own: a slice of a larger string would be slower to scan and keep all of it alive.
    for (let start = 0; start < block.length; ) {
      const end = block.indexOf(LINE_FEED, start);
      if (quick === undefined) lines.push(this.#decodeLine(block.subarray(start, end), true));
      else lines.push({ text: quick(start, end), ended: true });
      start = end + 1;
    }
  }

  #decodeLine(bytes: Uint8Array, ended: boolean): DecodedLine {
    const text = tryDecode(this.#decoder, bytes);
    return text === undefined
      ? { bytes: copyBytes(bytes), faultOffset: findInvalidUtf8(bytes), ended }
      : { text, ended };
  }
}

/** The text that bytes stand for, or `undefined` where they are no UTF-8 or more than a string can hold. */
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

/** The offset of the first byte that is not part of a well-formed UTF-8 sequence; the length if there is none. */
export function findInvalidUtf8(bytes: Uint8Array): number {
  // Halving: the longest prefix that decodes as a stream (a cut character at its end is not yet a fault).
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

/** Where the unfinished character at the end begins. */
function sequenceStart(bytes: Uint8Array): number {
  let i = bytes.length - 1;
  while (i > 0 && ((bytes[i] ?? 0) & 0xc0) === 0x80) i--;
  return i;
}

/** A copy in memory of its own. Not `slice`, which on the Buffers that Node hands out only gives a view. */
export function copyBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Whether a short run of bytes occurs in a long one; most of the long one is never looked at (Horspool's search). */
export function includesBytes(bytes: Uint8Array, requested: Uint8Array): boolean {
  const last = requested.length - 1;
  const shifts = new Uint8Array(256).fill(Math.min(requested.length, 255));
  for (let i = 0; i < last; i++) shifts[requested[i] as number] = Math.min(last - i, 255);
  for (let end = last; end < bytes.length; end += shifts[bytes[end] as number] as number) {
    let i = last;
    while (i >= 0 && bytes[end - last + i] === requested[i]) i--;
    if (i < 0) return true;
  }
  return false;
}
