import { elementsOf } from '../../json/object-view.ts';
import { decodeString } from '../../json/scan.ts';
import { joinCommandLine, splitCommandLine } from '../../model/command-line.ts';
import type { JsonText } from '../../model/entry.ts';
import { editsBetween } from './alignment.ts';
import { applyEdits, inLiteral } from './edits.ts';

/** Redacts the words of a command, and returns the same number of words. */
export type WordsRedaction = (words: readonly string[]) => readonly string[];

/** Redacts an array of words as a command. Returns `undefined` if the text is anything else. */
export function redactCommandArray(text: JsonText, redact: WordsRedaction): JsonText | undefined {
  const elements = elementsOf(text);
  const words = wordsOfArray(text);
  if (elements === undefined || words === undefined) return undefined;
  const redacted = redact(words);
  const edits = elements.flatMap(({ start, end }, index) => {
    const between = editsBetween(words[index] ?? '', redacted[index] ?? '');
    return inLiteral(text.slice(start, end), start, between);
  });
  return applyEdits(text, edits);
}

/** Returns the words of a command as an array. Returns `undefined` if the text is anything else. */
export function wordsOfArray(text: JsonText): readonly string[] | undefined {
  const elements = elementsOf(text);
  if (elements === undefined || elements.some(({ start }) => text.charAt(start) !== '"')) return undefined;
  return elements.map(({ start, end }) => decodeString(text.slice(start, end)));
}

/** Redacts a command line word by word. Returns `undefined` if it cannot be split like in a shell. */
export function redactCommandLine(line: string, redact: WordsRedaction): string | undefined {
  const words = wordsOfLine(line);
  if (words === undefined) return undefined;
  const redacted = redact(words);
  if (line === joinCommandLine(words)) return joinCommandLine(redacted);
  let result = '';
  let at = 0;
  for (const [index, word] of words.entries()) {
    const start = line.indexOf(word, at);
    // The word contains quotes or backslashes in the command line.
    if (start < 0) return redacted.some((changed, n) => changed !== words[n]) ? joinCommandLine(redacted) : line;
    result += line.slice(at, start) + (redacted[index] ?? '');
    at = start + word.length;
  }
  return result + line.slice(at);
}

/** Splits a command line like a shell. Returns `undefined` if that is not possible. */
export function wordsOfLine(line: string): readonly string[] | undefined {
  try {
    return splitCommandLine(line);
  } catch {
    return undefined;
  }
}
