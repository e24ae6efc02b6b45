import { decodeString } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';

/** A run of the characters that identifiers are made of. */
const RUNS = /[\p{L}\p{N}_-]+/gu;
/** Runs that are joined as in a path, an address or a version. */
const WORDS = /[\p{L}\p{N}_-]+(?:[./:@%]+[\p{L}\p{N}_-]+)*/gu;
const IN_WORD = /[\p{L}\p{N}_-]/u;

export interface WordRun {
  readonly word: string;
  readonly index: number;
}

export function* runsIn(text: string): Generator<WordRun> {
  for (const { 0: word, index } of text.matchAll(RUNS)) yield { word, index };
}

export function wordsIn(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}

/** Whether the characters from `start` to `end` are not part of a longer word. */
export function isWhole(text: string, start: number, end: number): boolean {
  return !IN_WORD.test(text.charAt(start - 1)) && !IN_WORD.test(text.charAt(end));
}

/** The value of a literal as text. */
export function textOf(literal: JsonText): string {
  return literal.startsWith('"') ? decodeString(literal) : literal;
}

/** Whether a text contains a value that is not part of a longer word. */
export function standsIn(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    if (isWhole(text, at, at + value.length)) return true;
  }
  return false;
}
