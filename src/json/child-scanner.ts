import { concatBytes, copyBytes, decodeUtf8 } from './lines.ts';
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './punctuation.ts';
import { decodeString, findFault } from './scan.ts';

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A member or an element of the container being scanned. */
export interface JsonChild {
  /** The member's key; `undefined` for an array element. */
  readonly key: string | undefined;
  /** Position in the container, from 0. */
  readonly index: number;
  /** The offset of the value in the input, in bytes. */
  readonly start: number;
  readonly end: number;
  /** The exact bytes, if the caller wants them. They are not yet validated as JSON. */
  readonly bytes: Uint8Array | undefined;
}

export interface ChildScannerOptions {
  /** Whether to buffer the bytes of a child until it is complete. Default: yes. */
  readonly wants?: (key: string | undefined) => boolean;
}

/** A syntax error of the container itself, not of a child's content. */
export interface ContainerFault {
  readonly offset: number;
  readonly what: string;
}

type ScanPhase = 'container' | 'first' | 'key' | 'in-key' | 'colon' | 'value' | 'in-value' | 'next' | 'done';

/**
 * Finds the children of one large JSON object or array in a stream of chunks, buffering at most one wanted child at a
 * time.
 *
 * It follows only the structure (strings, brackets, commas). The caller validates each child's text, so one bad child
 * does not hide the children after it.
 */
export class ChildScanner {
  /** Set once scanning cannot continue. */
  fault: ContainerFault | undefined;
  /** `{` or `[`, once it was read. */
  container: '{' | '[' | undefined;

  readonly #wants: (key: string | undefined) => boolean;
  #phase: ScanPhase = 'container';
  #markBytes = 0;
  #offset = 0;
  #index = 0;
  #key: string | undefined;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #start = 0;
  #kept: Uint8Array[] = [];
  #keeps = false;

  constructor(options: ChildScannerOptions = {}) {
    this.#wants = options.wants ?? (() => true);
  }

  /** Whether the container was closed and only white space followed. */
  get complete(): boolean {
    return this.#phase === 'done' && this.fault === undefined;
  }

  /** The child that has begun and not ended, if any. */
  get unfinished(): { readonly key: string | undefined; readonly index: number; readonly start: number } | undefined {
    return this.#phase === 'in-value' ? { key: this.#key, index: this.#index, start: this.#start } : undefined;
  }

  /** Takes the next bytes and returns the children that they complete. */
  push(chunk: Uint8Array): JsonChild[] {
    const children: JsonChild[] = [];
    let i = 0;
    while (i < chunk.length) {
      if (this.#phase === 'in-value') {
        const end = this.#scanValue(chunk, i);
        this.#keep(chunk, i, end);
        i = end;
        if (!this.#isInside()) children.push(this.#finish(this.#offset + end));
      } else if (this.#phase === 'in-key') {
        const end = this.#scanValue(chunk, i);
        this.#keep(chunk, i, end);
        i = end;
        if (!this.#isInside()) this.#takeKey();
      } else if (this.fault !== undefined) {
        break;
      } else {
        this.#step(chunk[i] as number, this.#offset + i);
        // The first byte of a key or value belongs to it.
        if (!this.#isInside()) i++;
      }
    }
    this.#offset += chunk.length;
    return children;
  }

  #isInside(): boolean {
    return this.#phase === 'in-value' || this.#phase === 'in-key';
  }

  /** Processes one byte between children. */
  #step(byte: number, offset: number): void {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    switch (this.#phase) {
      case 'container':
        if (offset === this.#markBytes && byte === BYTE_ORDER_MARK[offset]) this.#markBytes++;
        else if (this.#markBytes % BYTE_ORDER_MARK.length > 0 || (byte !== OPEN_BRACE && byte !== OPEN_BRACKET)) {
          this.#fail(offset, 'expected an object or an array');
        } else {
          this.container = byte === OPEN_BRACE ? '{' : '[';
          this.#phase = 'first';
        }
        return;
      case 'first':
        if (this.#closes(byte)) this.#phase = 'done';
        else this.#begin(byte, offset);
        return;
      case 'key':
      case 'value': {
        const afterComma = this.#phase === 'key' || this.container === '[';
        if (afterComma && this.#closes(byte)) this.#fail(offset, 'a trailing comma');
        else this.#begin(byte, offset);
        return;
      }
      case 'colon':
        if (byte === COLON) this.#phase = 'value';
        else this.#fail(offset, 'expected ":"');
        return;
      case 'next':
        if (byte === COMMA) this.#phase = this.container === '{' ? 'key' : 'value';
        else if (this.#closes(byte)) this.#phase = 'done';
        else this.#fail(offset, `expected "," or "${this.container === '{' ? '}' : ']'}"`);
        return;
      default:
        this.#fail(offset, 'text after the end of the document');
    }
  }

  #begin(byte: number, offset: number): void {
    const expectsKey = this.container === '{' && this.#phase !== 'value';
    if (expectsKey && byte !== QUOTE) {
      this.#fail(offset, 'expected a key in quotes');
      return;
    }
    if (byte === COMMA || byte === COLON || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#fail(offset, 'expected a value');
      return;
    }
    this.#start = offset;
    this.#depth = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#kept = [];
    this.#keeps = expectsKey || this.#wants(this.#key);
    this.#phase = expectsKey ? 'in-key' : 'in-value';
  }

  /** Continues the current key or value; returns the offset in the chunk where it ends, or the chunk's length. */
  #scanValue(chunk: Uint8Array, from: number): number {
    const atStart = this.#offset + from === this.#start;
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let i = from;
    const length = chunk.length;
    let ended = false;
    for (; i < length; i++) {
      const byte = chunk[i] as number;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          inString = false;
          if (depth === 0) {
            i++;
            ended = true;
            break;
          }
        }
      } else if (byte === QUOTE) {
        if (depth === 0 && !(atStart && i === from)) {
          ended = true;
          break;
        }
        inString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (depth === 0) {
          ended = true;
          break;
        }
        if (--depth === 0) {
          i++;
          ended = true;
          break;
        }
      } else if (depth === 0 && (byte === COMMA || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)) {
        ended = true;
        break;
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    if (ended) this.#phase = this.#phase === 'in-key' ? 'colon' : 'next';
    return i;
  }

  #keep(chunk: Uint8Array, from: number, to: number): void {
    if (this.#keeps && to > from) this.#kept.push(copyBytes(chunk.subarray(from, to)));
  }

  #keptBytes(): Uint8Array {
    const bytes = this.#kept.length === 1 ? (this.#kept[0] as Uint8Array) : concatBytes(this.#kept);
    this.#kept = [];
    return bytes;
  }

  #takeKey(): void {
    const literal = decodeUtf8(this.#keptBytes());
    if (literal === undefined || findFault(literal) !== undefined)
      this.#fail(this.#start, 'a key that is not a JSON string');
    else this.#key = decodeString(literal);
  }

  #finish(end: number): JsonChild {
    const bytes = this.#keeps ? this.#keptBytes() : undefined;
    const child = { key: this.#key, index: this.#index++, start: this.#start, end, bytes };
    this.#key = undefined;
    return child;
  }

  #closes(byte: number): boolean {
    return byte === (this.container === '{' ? CLOSE_BRACE : CLOSE_BRACKET);
  }

  #fail(offset: number, what: string): void {
    this.fault = { offset, what };
  }
}
