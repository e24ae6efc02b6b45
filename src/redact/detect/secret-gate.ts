import { NameLook } from '../names/name-look.ts';
import { type ScanItem, scanIndex, startsToken } from './secret-scan.ts';

/** The text around an anchor that patterns may look at. */
const REACH = 640;
/** Bytes are decoded in pieces of this length, around the anchors. */
const WINDOW = 1 << 12;
/** Strings are encoded in pieces of this length. A character has at most three bytes. */
const CHUNK = 1 << 14;

const buffer = new Uint8Array(3 * CHUNK);
const encoder = new TextEncoder();
const decoder = new TextDecoder('latin1');

/**
 * Returns whether a JSON text may contain a secret. This is the only scan that clean text goes through. It reads the raw
 * text including escapes, and may return false positives but no false negatives.
 */
export function mayHoldSecret(text: string): boolean {
  for (let at = 0; ; at += CHUNK - 2 * REACH) {
    const isLast = at + CHUNK >= text.length;
    const chunk = at === 0 && isLast ? text : text.slice(at, at + CHUNK);
    const { written } = encoder.encodeInto(chunk, buffer);
    // What begins near the end of a piece is looked at in the next one, where what follows is in view.
    if (holdsBefore(buffer, 0, written, isLast ? written : written - REACH)) return true;
    if (isLast) return false;
  }
}

/** Like `mayHoldSecret`, for the UTF-8 bytes of a JSON text from `start` to `end`. */
export function bytesMayHoldSecret(bytes: Uint8Array, start: number, end: number): boolean {
  return holdsBefore(bytes, start, end, end);
}

/** Like `bytesMayHoldSecret`, for secrets that begin before an offset. */
function holdsBefore(bytes: Uint8Array, start: number, end: number, limit: number): boolean {
  const gate = new ByteGate(bytes, start, end);
  return scanIndex().someInBytes(bytes, start, end, (item, at) => at < limit && gate.visit(item, at));
}

/** A character written as an escape may be part of a prefix or a name. Those escaped for HTML (`\u003c`) are not. */
const ESCAPED_CHARACTER = /\\u00(?:2[0bdef]|3[0-9ad]|4|5[0-9af]|6|7[0-9a])/iy;
const HEADERS = /aders\\*"/y;
const SECRET_MANIFEST = /kind[\\"']*:[ \t]*[\\"']*Secret/y;

class ByteGate extends NameLook {
  readonly #bytes: Uint8Array;
  #window = '';
  #windowStart = 0;

  constructor(bytes: Uint8Array, start: number, end: number) {
    super(start, end);
    this.#bytes = bytes;
  }

  /** Returns whether an item may be at an offset. */
  visit(item: ScanItem, at: number): boolean {
    if (item.by === 'name') return this.callsForLook(at);
    const place = this.#placeInWindow(at);
    switch (item.by) {
      case 'escape':
        return matches(ESCAPED_CHARACTER, this.#window, place);
      case 'headers':
        this.sawHeaders ||= matches(HEADERS, this.#window, place);
        return false;
      case 'manifest':
        return matches(SECRET_MANIFEST, this.#window, place);
      case 'shape':
        return (item.detector.anywhere || startsToken(this.#window, place)) && matches(item.hint, this.#window, place);
    }
  }

  protected codeAt(at: number): number {
    return this.#bytes[at] as number;
  }

  protected slice(from: number, to: number): string {
    const place = this.#placeInWindow(from);
    return this.#window.slice(place, place + to - from);
  }

  /** Decodes the text around an offset, unless it is decoded already, and returns the offset within. */
  #placeInWindow(at: number): number {
    const from = Math.max(this.start, at - REACH);
    const to = Math.min(this.end, at + REACH);
    if (this.#window === '' || from < this.#windowStart || to > this.#windowStart + this.#window.length) {
      this.#windowStart = from;
      this.#window = decoder.decode(this.#bytes.subarray(from, Math.min(this.end, at + WINDOW)));
    }
    return at - this.#windowStart;
  }
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
