import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './punctuation.ts';
import { passScalars, passSmallContainer } from './small-values.ts';

/**
 * A validating scanner for JSON text (RFC 8259) that builds no values.
 *
 * It finds the end of the value that starts at an offset. It does not recurse, so only memory limits the depth. It
 * reports malformed text as the complement (`~`) of the offset of the error, which keeps exceptions out of the data
 * path.
 */

const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** One member of an object: its decoded key, and the offsets of its key and value in the text. */
export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly start: number;
  readonly end: number;
}

/** The offsets of a value in a text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The offset of the first character at or after `at` that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  let i = at;
  // Reading beyond the end is slow, and after one such read all reads in this loop become slow.
  while (i < text.length) {
    const c = text.charCodeAt(i);
    if (c > 0x20 || (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09)) break;
    i++;
  }
  return i;
}

/**
 * Characters that need no escape in a string. The regular expression finds the end several times faster than a loop.
 */
const PLAIN_CHARACTERS = /[ !#-[\]-\uffff]*/y;

/**
 * Escapes, each with the plain characters after it. A match takes space on the engine's stack for each escape, so their
 * number is limited.
 */
const ESCAPES = /(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uffff]*){1,256}/y;

/** The offset after the string whose opening quote is at `at`, or `~offset` of the error. */
export function scanString(text: string, at: number): number {
  PLAIN_CHARACTERS.lastIndex = at + 1;
  PLAIN_CHARACTERS.test(text);
  let i = PLAIN_CHARACTERS.lastIndex;
  while (i < text.length) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) return i + 1;
    if (c !== BACKSLASH) return ~i;
    ESCAPES.lastIndex = i;
    if (!ESCAPES.test(text)) return ~faultOfEscape(text, i);
    i = ESCAPES.lastIndex;
  }
  return ~text.length;
}

/** The offset of the first character of a malformed escape that does not belong there. */
function faultOfEscape(text: string, at: number): number {
  if (text[at + 1] !== 'u') return at + 1;
  let digit = at + 2;
  while (digit < text.length && isHexDigit(text.charCodeAt(digit))) digit++;
  return digit;
}

/** The offset after the value that starts at `at` (no white space before it), or `~offset` of the error. */
export function scanValue(text: string, at: number): number {
  const c = text.charCodeAt(at);
  if (c === QUOTE) return scanString(text, at);
  if (c === OPEN_BRACE || c === OPEN_BRACKET) return scanContainer(text, at);
  if (c === MINUS || isDigit(c)) return scanNumber(text, at);
  return scanLiteral(text, at, c);
}

function scanContainer(text: string, at: number): number {
  // One entry per enclosing container, true for an object; `inObject` is the innermost one.
  const outer: boolean[] = [];
  let depth = 0;
  let inObject = false;
  let i = at;
  for (;;) {
    const c = text.charCodeAt(i);
    let closed = false;
    if (c === QUOTE) {
      i = scanString(text, i);
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      const end = passSmallContainer(text, i);
      if (end < 0) {
        outer[depth++] = inObject;
        inObject = c === OPEN_BRACE;
        i = skipSpace(text, i + 1);
        if (text.charCodeAt(i) === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) closed = true;
        else {
          i = scanToValue(text, i, inObject);
          if (i < 0) return i;
          continue;
        }
      } else {
        i = end;
        if (depth === 0) return i;
      }
    } else if (c === MINUS || isDigit(c)) {
      i = scanNumber(text, i);
    } else {
      i = scanLiteral(text, i, c);
    }
    if (i < 0) return i;

    for (;;) {
      if (!closed) {
        i = skipSpace(text, i);
        const after = text.charCodeAt(i);
        if (after === COMMA) {
          i = scanToValue(text, skipSpace(text, i + 1), inObject);
          if (i < 0) return i;
          break;
        }
        if (after !== (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) return ~Math.min(i, text.length);
      }
      closed = false;
      i++;
      depth--;
      if (depth === 0) return i;
      inObject = outer[depth] as boolean;
    }
  }
}

/** Skips simple members or elements from `at`, and returns the offset of the next value. */
function scanToValue(text: string, at: number, inObject: boolean): number {
  const next = skipSpace(text, passScalars(text, at, inObject));
  return inObject ? scanKey(text, next) : next;
}

/** Scans from a key's opening quote to the first character of its value. */
function scanKey(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) return ~Math.min(at, text.length);
  const end = scanString(text, at);
  return end < 0 ? end : scanColon(text, end);
}

function scanColon(text: string, at: number): number {
  const colon = skipSpace(text, at);
  return text.charCodeAt(colon) === COLON ? skipSpace(text, colon + 1) : ~Math.min(colon, text.length);
}

function scanNumber(text: string, at: number): number {
  let i = at;
  if (text.charCodeAt(i) === MINUS) i++;
  if (text.charCodeAt(i) === ZERO) i++;
  else {
    const digits = skipDigits(text, i);
    if (digits === i) return ~i;
    i = digits;
  }
  if (text.charCodeAt(i) === DOT) {
    const digits = skipDigits(text, i + 1);
    if (digits === i + 1) return ~digits;
    i = digits;
  }
  const e = text.charCodeAt(i);
  if (e === 0x65 || e === 0x45) {
    i++;
    const sign = text.charCodeAt(i);
    if (sign === PLUS || sign === MINUS) i++;
    const digits = skipDigits(text, i);
    if (digits === i) return ~i;
    i = digits;
  }
  return i;
}

function scanLiteral(text: string, at: number, first: number): number {
  const word = first === 0x74 ? 'true' : first === 0x66 ? 'false' : first === 0x6e ? 'null' : '';
  if (word !== '' && text.startsWith(word, at)) return at + word.length;
  let i = at;
  while (i < text.length && text[i] === word[i - at]) i++;
  return ~i;
}

function skipDigits(text: string, at: number): number {
  let i = at;
  while (isDigit(text.charCodeAt(i))) i++;
  return i;
}

function isDigit(c: number): boolean {
  return c >= ZERO && c <= NINE;
}

function isHexDigit(c: number): boolean {
  return isDigit(c) || (c >= 0x61 && c <= 0x66) || (c >= 0x41 && c <= 0x46);
}

/** The span of the single value in a text; `undefined` if the text is not JSON. */
export function documentSpan(text: string): TextSpan | undefined {
  const start = skipSpace(text, 0);
  const end = scanValue(text, start);
  return end >= 0 && skipSpace(text, end) >= text.length ? { start, end } : undefined;
}

/**
 * The offset of the first syntax error (the length if the text is truncated), or `undefined` if the text is valid JSON.
 */
export function findFault(text: string): number | undefined {
  const end = scanValue(text, skipSpace(text, 0));
  if (end < 0) return ~end;
  const rest = skipSpace(text, end);
  return rest >= text.length ? undefined : rest;
}

/**
 * Walks the members of the object at `at` and returns the offset after it, or `~offset` of the error. `takeValue`
 * receives each key and the start of its value, and returns the end of the value (or `~offset`). So a caller can
 * inspect a value in the same pass.
 */
export function scanObject(
  text: string,
  at: number,
  takeValue: (key: string, start: number, keyStart: number) => number,
): number {
  if (text.charCodeAt(at) !== OPEN_BRACE) return ~Math.min(at, text.length);
  let i = skipSpace(text, at + 1);
  if (text.charCodeAt(i) === CLOSE_BRACE) return i + 1;
  for (;;) {
    const keyStart = i;
    const keyEnd = text.charCodeAt(i) === QUOTE ? scanString(text, i) : ~Math.min(i, text.length);
    if (keyEnd < 0) return keyEnd;
    const start = scanColon(text, keyEnd);
    if (start < 0) return start;
    const end = takeValue(decodeKey(text, keyStart, keyEnd), start, keyStart);
    if (end < 0) return end;
    i = skipSpace(text, end);
    const after = text.charCodeAt(i);
    if (after === CLOSE_BRACE) return i + 1;
    if (after !== COMMA) return ~Math.min(i, text.length);
    i = skipSpace(text, i + 1);
  }
}

/**
 * Visits the members of an object in order, duplicates included; returns the offset after it, or `~offset` of the
 * error. `visit` receives every member before an error, so the head of a truncated text can be read.
 */
export function scanMembers(text: string, at: number, visit: (member: JsonMember) => void): number {
  return scanObject(text, at, (key, start, keyStart) => {
    const end = scanValue(text, start);
    if (end >= 0) visit({ key, keyStart, start, end });
    return end;
  });
}

/** Visits the elements of an array in order; returns the offset after it, or `~offset` of the error. */
export function scanElements(text: string, at: number, visit: (element: TextSpan) => void): number {
  if (text.charCodeAt(at) !== OPEN_BRACKET) return ~Math.min(at, text.length);
  let i = skipSpace(text, at + 1);
  if (text.charCodeAt(i) === CLOSE_BRACKET) return i + 1;
  for (;;) {
    const end = scanValue(text, i);
    if (end < 0) return end;
    visit({ start: i, end });
    i = skipSpace(text, end);
    const after = text.charCodeAt(i);
    if (after === CLOSE_BRACKET) return i + 1;
    if (after !== COMMA) return ~Math.min(i, text.length);
    i = skipSpace(text, i + 1);
  }
}

/** ASCII characters that need no escape. */
const PLAIN_STRING = /^[ !#-[\]-~]*$/;

/** Encodes a string literal. Most strings in headers are plain, and quoting those directly is several times faster. */
export function encodeString(text: string): string {
  return PLAIN_STRING.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Decodes a valid string literal. */
export function decodeString(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

function decodeKey(text: string, keyStart: number, keyEnd: number): string {
  const key = text.slice(keyStart + 1, keyEnd - 1);
  return key.includes('\\') ? (JSON.parse(text.slice(keyStart, keyEnd)) as string) : key;
}
