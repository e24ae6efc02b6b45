import { joinCommandLine } from './command-line.ts';

/** Characters that cmd and PowerShell both take literally outside quotes; `@` and `~` only within a word. */
const PLAIN_WINDOWS_WORD = /^[A-Za-z0-9_.:/\\=-][A-Za-z0-9_.:/\\=@+~-]*$/;

/**
 * Quotes and joins words into a line that the user can paste into a shell of their platform: a POSIX shell, or cmd and
 * PowerShell on Windows. The two have no common escape for `"`, `%`, `$` and backticks, which are quoted as programs
 * expect them.
 */
export function shellLine(words: readonly string[], platform: string): string {
  return platform === 'win32' ? words.map(quoteForWindows).join(' ') : joinCommandLine(words);
}

/** A backslash is literal unless a double quote follows, so those before a quote are doubled. */
function quoteForWindows(word: string): string {
  if (PLAIN_WINDOWS_WORD.test(word)) return word;
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}
