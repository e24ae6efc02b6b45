import { NameLook } from '../names/name-look.ts';
import type { AnchorIndex } from './anchor-index.ts';
import { type ScanItem, scanIndex, startsToken } from './secret-scan.ts';

/** Bytes are decoded in pieces of this length. */
const PIECE = 1 << 14;
/** The text around an anchor that patterns may look at. */
const REACH = 640;

const decoder = new TextDecoder('latin1');

/**
 * Returns whether a JSON text may contain a secret. This is the only scan that clean text goes through. It reads the raw
 * text including escapes, and may return false positives but no false negatives. `index` may know further items.
 */
export function mayHoldSecret(text: string, index: AnchorIndex<ScanItem> = scanIndex()): boolean {
  gate.lookAt(text, text.length);
  const found = index.some(text, visit, noProgress);
  gate.lookAt('', 0);
  return found;
}

/** Like `mayHoldSecret`, for the UTF-8 bytes of a JSON text from `start` to `end`. */
export function bytesMayHoldSecret(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; ; at += PIECE - 2 * REACH) {
    const to = Math.min(end, at + PIECE);
    // Most pieces hold nothing that is looked for, and need not be decoded.
    if (scanIndex().someInBytes(bytes, at, to, () => true)) {
      const text = decoder.decode(bytes.subarray(at, to));
      // What begins near the end of a piece is looked at in the next one, where what follows is in view.
      gate.lookAt(text, to === end ? text.length : text.length - REACH);
      if (scanIndex().some(text, visit)) return true;
    }
    if (to === end) return false;
  }
}

/** A character written as an escape may be part of what is looked for. Those escaped for HTML (`\u003c`) are not. */
const ESCAPED_CHARACTER = /\\u00(?:2[013-589a-f]|3[0-9abdf]|[4-7])/iy;
const HEADERS = /aders\\*"/y;
/** What stands between the name of a cookie header and its first cookie, in JSON text. */
const COOKIE_HEADER = /cookie(?:[\\"'`]{0,34}(?:\\[nrt]|\s){0,4}(?::|=>)|[\\"'`]{1,34},)/iy;
const INSERT = /insert(?:\s|\\)/iy;
/** The end of the name of a program that takes a password in a short option, as an element of a list or a member. */
const PROGRAM = /(?:ysql(?:dump)?|riadb|shpass|s-cli|ongo(?:sh)?|dapsearch)(?:\.exe)?\\*"/y;
const SECRET_MANIFEST = /kind[\\"']*:[ \t]*[\\"']*Secret/y;

/** After so many names that lead to nothing, the text is searched in the way that has a budget. */
const MAX_NAMES = 20_000;

class SecretGate extends NameLook {
  #limit = 0;
  #names = 0;

  /** Begins with a text. Secrets count that begin before `limit`. */
  lookAt(text: string, limit: number): void {
    this.begin(text);
    this.#limit = limit;
    this.#names = 0;
  }

  /** Returns whether an item may be at an offset. */
  visit(item: ScanItem, at: number): boolean {
    if (at >= this.#limit) return false;
    switch (item.by) {
      case 'name':
        return this.callsForLook(at) || ++this.#names > MAX_NAMES;
      case 'given':
      case 'table':
      case 'jwk':
      case 'percent':
      case 'entity':
        return true;
      case 'escape':
        return matches(ESCAPED_CHARACTER, this.text, at);
      case 'headers':
        this.sawHeaders ||= matches(HEADERS, this.text, at);
        return false;
      case 'cookie':
        return matches(COOKIE_HEADER, this.text, at);
      case 'insert':
        return matches(INSERT, this.text, at);
      case 'command':
        return matches(PROGRAM, this.text, at);
      case 'manifest':
        return matches(SECRET_MANIFEST, this.text, at);
      case 'shape':
        return (item.detector.anywhere || startsToken(this.text, at)) && matches(item.hint, this.text, at);
    }
  }
}

/** There is one, because it is used for every message. */
const gate = new SecretGate();
const visit = (item: ScanItem, at: number): boolean => gate.visit(item, at);

/** The search ends with the first visit that leads to anything. */
const noProgress = (): number => 0;

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
