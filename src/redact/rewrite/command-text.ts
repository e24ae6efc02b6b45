import { elementsOf } from '../../json/object-view.ts';
import { decodeString } from '../../json/scan.ts';
import { joinCommandLine, splitCommandLine } from '../../model/command-line.ts';
import type { JsonText } from '../../model/entry.ts';
import { editsBetween } from './alignment.ts';
import { applyEdits, inLiteral } from './edits.ts';

/** The words of a command with what has to go replaced, as many as there were. */
export type WordsRedaction = (words: readonly string[]) => readonly string[];

/** The text of an array of words redacted as a command; `undefined` where it is something else. */
export function redactCommandArray(text: JsonText, redact: WordsRedaction): JsonText | undefined {
  const elements = elementsOf(text);
  if (elements === undefined || elements.some(({ start }) => text.charAt(start) !== '"')) return undefined;
  const words = elements.map(({ start, end }) => decodeString(text.slice(start, end)));
  const redacted = redact(words);
  const edits = elements.flatMap(({ start, end }, index) => {
    const between = editsBetween(words[index] ?? '', redacted[index] ?? '');
    return inLiteral(text.slice(start, end), start, between);
  });
  return applyEdits(text, edits);
}

/** A command line redacted word by word; `undefined` where no shell could split it. */
export function redactCommandLine(line: string, redact: WordsRedaction): string | undefined {
  const words = wordsOf(line);
  if (words === undefined) return undefined;
  const redacted = redact(words);
  let result = '';
  let at = 0;
  for (const [index, word] of words.entries()) {
    const start = line.indexOf(word, at);
    // A word that is spelled with quotes or backslashes within it.
    if (start < 0) return redacted.some((changed, n) => changed !== words[n]) ? joinCommandLine(redacted) : line;
    result += line.slice(at, start) + (redacted[index] ?? '');
    at = start + word.length;
  }
  return result + line.slice(at);
}

function wordsOf(line: string): readonly string[] | undefined {
  try {
    return splitCommandLine(line);
  } catch {
    return undefined;
  }
}
