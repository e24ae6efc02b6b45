import { classesOf, secretEndingOf, WORD } from './word-classes.ts';

/**
 * How strongly a name says that its value is a secret:
 * - `password`: people choose such values, so short and simple ones count.
 * - `secret`: programs make such values, so a plain word is not one.
 * - `weak`: the name is also used for harmless things (`key`, `auth`), so the value must look random.
 */
export type NameStrength = 'password' | 'secret' | 'weak';

/** Longer names are data. */
export const MAX_NAME = 96;

/**
 * What separates words: anything but letters and digits of any script. Classes of Unicode take a millisecond to compile
 * at the start of each session.
 */
export const SEPARATORS: RegExp = /[^A-Za-z0-9\u00c0-\u1fff\u2c00-\uffff]+/g;

/** A part of every name of a secret. Most names have none, and need not be taken apart. */
const STEMS =
  /pass|pw|psw|psk|mnemo|auth|kennwort|senha|wachtwoord|secret|token|cred|jwt|key|bearer|cookie|assertion|pat|dpop|pepper|sig|salt|hmac|dsn|otp|login|sas|code/i;

/** Judges by a name, in any case and with any separators, whether its value is a secret. */
export function strengthOfName(name: string): NameStrength | undefined {
  return STEMS.test(name) ? strengthOfNameIn(name, 0, name.length) : undefined;
}

/** Like `strengthOfName`, for a name between two offsets of a text. */
export function strengthOfNameIn(text: string, start: number, end: number): NameStrength | undefined {
  return end - start > MAX_NAME ? undefined : judge(text, splitIntoWords(text, start, end), end);
}

/** The words of the name that is judged: their classes and where they are. */
const classes = new Int32Array(MAX_NAME + 1);
const starts = new Int32Array(MAX_NAME + 1);
const ends = new Int32Array(MAX_NAME + 1);

function judge(text: string, all: number, end: number): NameStrength | undefined {
  let count = all;
  while (count > 1 && has(count - 1, WORD.qualifier) && sayAnySecret(text, count - 1)) count--;
  if (count === 0) return undefined;
  const index = count - 1;
  const last = classes[index] as number;
  const before = count > 1 ? (classes[index - 1] as number) : 0;
  if (((before >>> WORD.firsts) & (last >>> WORD.seconds) & PAIRS) !== 0) return 'secret';
  if (before & WORD.pass && last & WORD.afterPass) return 'password';
  if (last & WORD.confirm && before & WORD.password) return 'password';
  // Also short for a pattern.
  if (last & WORD.pat) return text.startsWith('_PAT', end - 4) || before & WORD.keyOwner ? 'secret' : 'weak';
  if (last & WORD.password || (last & WORD.pass && count > 1)) return 'password';
  if (last & (WORD.key | WORD.keys)) return strengthOfKey(before, count);
  if (last & (WORD.token | WORD.tokens)) return strengthOfToken(last, before);
  if (last & WORD.secret) return 'secret';
  if (last & WORD.weak) return 'weak';
  const [lastStart, lastEnd] = [starts[index] as number, ends[index] as number];
  const ending = secretEndingOf(text, lastStart, lastEnd);
  if (ending !== undefined) {
    return classesOf(text, lastStart, lastEnd - ending.length) & WORD.harmlessOwner ? undefined : ending.strength;
  }
  if (last & WORD.description || !sayAnySecret(text, count)) return undefined;
  for (let i = 0; i < count; i++) if (has(i, WORD.description)) return undefined;
  return 'weak';
}

const PAIRS = 0x7f;

function has(index: number, bits: number): boolean {
  return ((classes[index] as number) & bits) !== 0;
}

/** Returns whether any of the first words says secret. */
function sayAnySecret(text: string, count: number): boolean {
  for (let i = 0; i < count; i++) {
    if (has(i, WORD.password | WORD.secret | WORD.key)) return true;
    if (secretEndingOf(text, starts[i] as number, ends[i] as number) !== undefined) return true;
  }
  return false;
}

/**
 * Finds the words of a name: `APIKey`, `api_key` and `api-key` all have two. Digits at the end of a word do not count.
 * Returns the number of words.
 */
function splitIntoWords(text: string, from: number, to: number): number {
  let count = 0;
  let start = from;
  for (let i = from; i <= to; i++) {
    const c = i < to ? text.charCodeAt(i) : 0;
    const isEnd = !isPartOfWord(c);
    if (!isEnd && (i === start || !isUpper(c) || !beginsWord(text, i, to))) continue;
    let end = i;
    while (end > start && i - end < 4 && isDigit(text.charCodeAt(end - 1))) end--;
    if (end > start) {
      starts[count] = start;
      ends[count] = end;
      classes[count] = classesOf(text, start, end);
      count++;
    }
    start = isEnd ? i + 1 : i;
  }
  return count;
}

/** Returns whether a capital within a name begins a word, as both do in `APIKey`. */
function beginsWord(text: string, at: number, end: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (isLower(before) || isDigit(before)) return true;
  return isUpper(before) && at + 1 < end && isLower(text.charCodeAt(at + 1));
}

/** The opposite of `SEPARATORS`. */
function isPartOfWord(c: number): boolean {
  return isLower(c) || isUpper(c) || isDigit(c) || (c >= 0xc0 && c <= 0x1fff) || c >= 0x2c00;
}

function isLower(c: number): boolean {
  return c >= 0x61 && c <= 0x7a;
}

function isUpper(c: number): boolean {
  return c >= 0x41 && c <= 0x5a;
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

function strengthOfKey(owner: number, count: number): NameStrength | undefined {
  if (count === 1) return 'weak';
  if (owner & WORD.harmlessOwner) return undefined;
  if (owner & WORD.keyOwner) return 'secret';
  for (let i = 0; i < count; i++) if (has(i, WORD.secretItself)) return 'secret';
  return 'weak';
}

function strengthOfToken(last: number, owner: number): NameStrength | undefined {
  if (owner & WORD.harmlessOwner) return undefined;
  return last & WORD.tokens && !(owner & WORD.tokenOwner) ? 'weak' : 'secret';
}
