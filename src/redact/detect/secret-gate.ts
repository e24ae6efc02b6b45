import { BACKSLASH, CLOSE_BRACE, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../json/punctuation.ts';
import { MAX_NAME, type NameStrength, strengthOfName } from './secret-names.ts';
import { type ScanItem, scanIndex, startsToken } from './secret-scan.ts';

/** The text around an anchor that patterns may look at. */
const REACH = 640;
/** Bytes are decoded in pieces of this length, around the anchors. */
const WINDOW = 1 << 12;
/** After this many anchors that turned out to be nothing, a closer look at the text is no slower. */
const MAX_CHECKS = 4096;
/** The maximum length of quotes and white space around a separator. */
const MAX_SKIPPED = 120;
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
    if (bytesMayHoldSecret(buffer, 0, encoder.encodeInto(chunk, buffer).written)) return true;
    if (isLast) return false;
  }
}

/** Like `mayHoldSecret`, for the UTF-8 bytes of a JSON text from `start` to `end`. */
export function bytesMayHoldSecret(bytes: Uint8Array, start: number, end: number): boolean {
  const gate = new ByteGate(bytes, start, end);
  return scanIndex().someInBytes(bytes, start, end, (item, at) => gate.callsForLook(item, at));
}

/** A character written as an escape may be part of a prefix or a name. Those escaped for HTML (`\u003c`) are not. */
const ESCAPED_CHARACTER = /\\u00(?:2[0bdef]|3[0-9ad]|4|5[0-9af]|6|7[0-9a])/iy;
const HEADERS = /aders\\*"/y;
const SECRET_MANIFEST = /kind[\\"']*:[ \t]*[\\"']*Secret/y;

class ByteGate {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #end: number;
  #window = '';
  #windowStart = 0;
  #checks = 0;
  /** Whether a member that holds headers has begun. Any value of a secret header counts. */
  #sawHeaders = false;
  /** Names up to here have been looked at. */
  #done = 0;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  callsForLook(item: ScanItem, at: number): boolean {
    if (item.by === 'name') return at >= this.#done && this.#nameCallsForLook(at);
    if (++this.#checks > MAX_CHECKS) return true;
    const place = this.#placeInWindow(at);
    switch (item.by) {
      case 'escape':
        return matches(ESCAPED_CHARACTER, this.#window, place);
      case 'headers':
        this.#sawHeaders ||= matches(HEADERS, this.#window, place);
        return false;
      case 'manifest':
        return matches(SECRET_MANIFEST, this.#window, place);
      case 'shape':
        return (item.detector.anywhere || startsToken(this.#window, place)) && matches(item.hint, this.#window, place);
    }
  }

  /** Decodes the text around an offset, unless it is decoded already, and returns the offset within. */
  #placeInWindow(at: number): number {
    const from = Math.max(this.#start, at - REACH);
    const to = Math.min(this.#end, at + REACH);
    if (this.#window === '' || from < this.#windowStart || to > this.#windowStart + this.#window.length) {
      this.#windowStart = from;
      this.#window = decoder.decode(this.#bytes.subarray(from, Math.min(this.#end, at + WINDOW)));
    }
    return at - this.#windowStart;
  }

  /** Looks at the name around an offset, at what separates it from its value, and at the beginning of the value. */
  #nameCallsForLook(at: number): boolean {
    const bytes = this.#bytes;
    let nameStart = at;
    while (nameStart > this.#start && at - nameStart < MAX_NAME && isNameByte(bytes[nameStart - 1])) nameStart--;
    let nameEnd = at;
    while (nameEnd < this.#end && nameEnd - nameStart <= MAX_NAME && isNameByte(bytes[nameEnd])) nameEnd++;
    this.#done = nameEnd;
    // A separator must follow, which costs less to see than what the name means.
    const i = this.#skip(nameEnd, isFiller);
    if (i >= this.#end) return i > nameEnd && this.#isStrong(nameStart, nameEnd);
    const separator = bytes[i] as number;
    if (isSeparator(separator)) {
      const strength = this.#strength(nameStart, nameEnd);
      return strength !== undefined && this.#valueCallsForLook(i + 1, strength);
    }
    if (separator === COMMA || separator === CLOSE_BRACE)
      return this.#pairCallsForLook(nameStart, nameEnd, i, separator);
    return (i > nameEnd || separator === 0x3c) && this.#followedByValue(nameStart, nameEnd, i);
  }

  /** `"name": "X", "value": "Y"` in either order, and `define('X', 'Y')`. */
  #pairCallsForLook(nameStart: number, nameEnd: number, at: number, separator: number): boolean {
    if (!isQuote(this.#bytes[nameStart - 1]) || !this.#isStrong(nameStart, nameEnd)) return false;
    if (this.#sawHeaders) return true;
    if (separator === COMMA && this.#valueCallsForLook(at + 1, 'password', true)) return true;
    const place = this.#placeInWindow(at);
    return /value|content/i.test(this.#window.slice(Math.max(0, place - REACH / 2), place + REACH / 2));
  }

  /** Names that only white space or markup separates from a value: flags, netrc, SQL, tables, property lists. */
  #followedByValue(nameStart: number, nameEnd: number, at: number): boolean {
    if (!this.#isStrong(nameStart, nameEnd)) return false;
    const isFlag = this.#bytes[nameStart] === 0x2d || this.#bytes[nameStart - 1] === 0x2d;
    if (isFlag || this.#bytes[at] === 0x3c || isQuote(this.#bytes[at - 1]) || this.#bytes[at] === 0x40) return true;
    // A type may stand before the value: `var token string = "…"`.
    for (let i = at; i < this.#end && i < at + 48; i++)
      if (this.#bytes[i] === 0x3d || isDigit(this.#bytes[i])) return true;
    const place = this.#placeInWindow(nameEnd);
    return /^[\\nrt\s"',]*(?:secret|default)?val(?:ue)?[\\"']*\s*[:=]/i.test(this.#window.slice(place, place + 80));
  }

  #valueCallsForLook(from: number, strength: NameStrength, needsDigit = false): boolean {
    const bytes = this.#bytes;
    let i = this.#skip(from, isLead);
    if (bytes[i] === OPEN_BRACE) return false;
    const start = i;
    let hasDigit = false;
    while (i < this.#end && i - start < 16 && !isValueEnd(bytes[i])) {
      if (isDigit(bytes[i])) hasDigit = true;
      i++;
    }
    const length = i - start;
    if (this.#sawHeaders) return length > 0;
    if (this.#end - i < 2) return length > 0;
    if (needsDigit) return (length >= 4 && hasDigit) || length >= 12;
    // A type may stand before the value: `token: string = "…"`.
    if (bytes[i] === 0x20 && (bytes[i + 1] === 0x3d || bytes[i + 1] === 0x7c || bytes[i + 1] === 0x3f)) return true;
    if (strength === 'password') return length >= 4 || (length > 0 && bytes[i] === 0x20);
    return strength === 'secret' ? length >= 8 || (length >= 6 && hasDigit) : length >= 12;
  }

  /** Skips characters of a class, and line breaks and tabs that are escaped in JSON text. */
  #skip(from: number, isSkipped: (c: number | undefined) => boolean): number {
    const bytes = this.#bytes;
    let i = from;
    while (i < this.#end && i - from < MAX_SKIPPED && isSkipped(bytes[i])) {
      i += bytes[i] === BACKSLASH && isEscapedSpace(bytes[i + 1]) ? 2 : 1;
    }
    return i;
  }

  #isStrong(nameStart: number, nameEnd: number): boolean {
    const strength = this.#strength(nameStart, nameEnd);
    return strength === 'password' || strength === 'secret';
  }

  #strength(nameStart: number, nameEnd: number): NameStrength | undefined {
    let [start, end] = [nameStart, nameEnd];
    while (start < end && (this.#bytes[start] === 0x2d || this.#bytes[start] === 0x2e)) start++;
    while (end > start && (this.#bytes[end - 1] === 0x2d || this.#bytes[end - 1] === 0x2e)) end--;
    // In JSON text, the letter of an escape such as `\n` precedes a name that begins a line.
    const isEscaped = this.#bytes[start - 1] === BACKSLASH;
    const name = String.fromCharCode(...this.#bytes.subarray(isEscaped ? start + 1 : start, end));
    const strength = strengthOfName(name);
    // Two words may be a label (`API key`), and the rest of an escape may be a part of the name.
    return strength === 'weak' && /^key$/i.test(name)
      ? 'secret'
      : (strength ?? (isEscaped ? strengthOfName(name.slice(1)) : undefined));
  }
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function isNameByte(c: number | undefined): boolean {
  return (
    c !== undefined &&
    ((c >= 0x61 && c <= 0x7a) ||
      (c >= 0x41 && c <= 0x5a) ||
      (c >= 0x30 && c <= 0x39) ||
      c === 0x5f ||
      c === 0x2d ||
      c === 0x2e)
  );
}

function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 0x30 && c <= 0x39;
}

/** The letters of `\n`, `\r` and `\t`. */
function isEscapedSpace(c: number | undefined): boolean {
  return c === 0x6e || c === 0x72 || c === 0x74;
}

function isQuote(c: number | undefined): boolean {
  return c === QUOTE || c === 0x27 || c === 0x60;
}

/** Quotes, escapes, white space and emphasis after a name. */
function isFiller(c: number | undefined): boolean {
  return c !== undefined && (c <= 0x20 || isQuote(c) || c === BACKSLASH || c === 0x2a || c === 0x5d);
}

/** `: = > | ? + .` and the like, which begin every separator. */
function isSeparator(c: number): boolean {
  return c === 0x3a || c === 0x3d || c === 0x3e || c === 0x7c || c === 0x3f || c === 0x2b;
}

/** What may stand between a separator and a value. */
function isLead(c: number | undefined): boolean {
  return isFiller(c) || c === 0x3a || c === 0x3d || c === 0x3e || c === OPEN_BRACKET || c === 0x7c || c === 0x2d;
}

function isValueEnd(c: number | undefined): boolean {
  return c === undefined || c <= 0x20 || isQuote(c);
}
