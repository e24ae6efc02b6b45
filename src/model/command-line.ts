import { ReelError } from './errors.ts';

/** Characters that a POSIX shell takes literally outside quotes, and placeholders, so that redacting adds no quotes. */
const PLAIN_WORD = /^(?:[A-Za-z0-9_@%+=:,./-]|\[REDACTED:[a-z0-9-]{1,64}:[0-9a-f]{8}\])+$/;

/**
 * Splits a command line into words as a POSIX shell does: quotes and backslashes work, but nothing is expanded and
 * operators have no meaning.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === "'" || char === '"') {
      const end = closingQuote(line, i);
      word = (word ?? '') + unquote(line.slice(i + 1, end), char);
      i = end;
    } else if (char === '\\') {
      if (i + 1 >= line.length) throw unfinished('a backslash at its end');
      i++;
      if (line.charAt(i) !== '\n') word = (word ?? '') + line.charAt(i);
    } else if (char === ' ' || char === '\t' || char === '\n' || char === '\r') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Quotes and joins words into a command line that `splitCommandLine` splits into the same words. */
export function joinCommandLine(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function closingQuote(line: string, open: number): number {
  const quote = line.charAt(open);
  for (let i = open + 1; i < line.length; i++) {
    if (line.charAt(i) === quote) return i;
    if (quote === '"' && line.charAt(i) === '\\') i++;
  }
  throw unfinished(`an unclosed ${quote} at column ${open + 1}`);
}

/** Inside double quotes a backslash escapes only these five characters; inside single quotes it escapes none. */
function unquote(inside: string, quote: string): string {
  return quote === "'" ? inside : inside.replace(/\\(["$`\\\n])/g, (_, char: string) => (char === '\n' ? '' : char));
}

function unfinished(what: string): ReelError {
  return new ReelError('usage', `The command line has ${what}`, { hint: 'Quote it like in a POSIX shell.' });
}
