import { ReelError } from './errors.ts';

/**
 * Splits a command line into words as Windows programs do. Double quotes group words, and single quotes have no
 * meaning. A backslash is literal unless a double quote follows.
 */
export function splitWindowsCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === '\\') {
      const count = /^\\+/.exec(line.slice(i))?.[0].length ?? 1;
      const beforeQuote = line.charAt(i + count) === '"';
      word = (word ?? '') + '\\'.repeat(beforeQuote ? Math.floor(count / 2) : count);
      i += count - 1;
      if (beforeQuote && count % 2 === 1) {
        word += '"';
        i++;
      }
    } else if (char === '"') {
      // Two double quotes inside quotes are one literal double quote.
      if (isQuoted && line.charAt(i + 1) === '"') {
        word = `${word ?? ''}"`;
        i++;
      } else {
        isQuoted = !isQuoted;
        word ??= '';
      }
    } else if (!isQuoted && /[ \t\r\n]/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (isQuoted) throw new ReelError('usage', 'The command line has an unclosed "', { hint: 'Add it.' });
  if (word !== undefined) words.push(word);
  return words;
}
