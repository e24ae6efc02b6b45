/** Characters by what they mean around a name and its value. */

import { BACKSLASH, COLON, COMMA, OPEN_BRACKET, QUOTE } from '../../json/punctuation.ts';

const APOSTROPHE = 0x27;
const BACKTICK = 0x60;
export const HYPHEN: number = 0x2d;
const DOT = 0x2e;
export const EQUALS: number = 0x3d;
export const LESS: number = 0x3c;
export const BAR: number = 0x7c;
export const OPEN_PARENTHESIS: number = 0x28;
const CLOSE_PARENTHESIS = 0x29;
const AT_SIGN = 0x40;
export const SEMICOLON: number = 0x3b;
export const TAB: number = 0x09;

export function isNameCharacter(c: number): boolean {
  return isLetter(c) || isDigit(c) || c === 0x5f || c === HYPHEN || c === DOT;
}

export function isLetter(c: number): boolean {
  return (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a);
}

export function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

export function isQuote(c: number): boolean {
  return c === QUOTE || c === APOSTROPHE || c === BACKTICK;
}

export function isEdge(c: number): boolean {
  return c === HYPHEN || c === DOT;
}

/** Characters that join words in names, paths and queries. */
export function isWordJoint(c: number): boolean {
  return (
    c === 0x5f ||
    c === HYPHEN ||
    c === DOT ||
    c === EQUALS ||
    c === COLON ||
    c === 0x2f ||
    c === 0x26 ||
    c === COMMA ||
    c === BAR ||
    c === LESS ||
    c === 0x3e
  );
}

/** What separates the columns of a table in text. */
export function isColumnMark(c: number): boolean {
  return c === COMMA || c === SEMICOLON || c === TAB;
}

/** The letters of `\n`, `\r` and `\t`. */
export function isEscapedSpace(c: number): boolean {
  return c === 0x6e || c === 0x72 || c === 0x74;
}

/** Letters and signs that say what kind of string follows. */
export function isQuotePrefix(c: number): boolean {
  return isLetter(c) || c === AT_SIGN || c === 0x24;
}

/** Quotes, escapes, white space, emphasis and closing brackets after a name. */
export function isFiller(c: number): boolean {
  return c <= 0x20 || isQuote(c) || c === BACKSLASH || c === 0x2a || c === 0x5d || c === CLOSE_PARENTHESIS;
}

/** `: = > | ? + !`, with which every separator begins. */
export function isSeparator(c: number): boolean {
  return c === COLON || c === EQUALS || c === 0x3e || c === BAR || c === 0x3f || c === 0x2b || c === 0x21;
}

/** What may stand between a separator and a value. */
export function isLead(c: number): boolean {
  if (isFiller(c) || (isSeparator(c) && c !== 0x21)) return true;
  return c === OPEN_BRACKET || c === OPEN_PARENTHESIS || c === HYPHEN;
}

/** The first letters of `value`, `secretValue` and `defaultValue`. */
export function isFirstOfValue(c: number): boolean {
  return c === 0x76 || c === 0x56 || c === 0x73 || c === 0x64;
}
