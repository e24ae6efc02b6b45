/** Stands for a value that not every shell takes as it is. */
export const LEFT_OUT = 'VALUE-LEFT-OUT';

/** Words that dash, bash, zsh and fish take literally outside quotes, wherever they stand. */
const PLAIN_WORD = /^[A-Za-z0-9_@+:,./-][A-Za-z0-9_@%+=:,./-]*$/;
/** Words that a shell would not take for a program. */
const NO_PROGRAM =
  /=|^(?:and|begin|break|builtin|case|command|continue|coproc|do|done|elif|else|end|esac|exec|eval|fi|for|foreach|function|if|in|nocorrect|not|noglob|or|repeat|return|select|source|switch|then|time|until|while|\.)$/;
/**
 * The letters and characters that cmd, PowerShell and programs all take literally; PowerShell reads `@` at the start as
 * its own. Programs that convert a click letter to a code page make punctuation of it.
 */
const PLAIN_WINDOWS_WORD = /^(?!@)(?:(?![\u01c0-\u01c3])[\p{Ll}\p{Lu}\p{Lo}0-9._:/\\=@-])+$/u;
/**
 * The same between double quotes. PowerShell passes on a word without a space without its quotes. Programs take a
 * backslash before the closing quote for an escape.
 */
const QUOTED_WINDOWS_WORD = /^(?=[^ ]* )(?:(?![\u01c0-\u01c3])[\p{Ll}\p{Lu}\p{Lo}0-9._:/\\=@() -])+(?<!\\)$/u;
/**
 * Characters that a terminal may act on when they are pasted, or that no one sees: controls, line breaks, tabs,
 * direction overrides, invisible characters and lone surrogates.
 */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\ufff9-\ufffb]|(?!\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/u;
/** Inside single quotes fish takes a backslash before a backslash or a quote for an escape; other shells do not. */
const OUTSIDE_QUOTES = /(\\{2,}|\\(?='|$)|'+)/;

/**
 * Quotes and joins words into a line that the user can paste into a shell of their platform: dash, bash, zsh or fish, or
 * cmd and PowerShell on Windows. A word that cannot be written safely for all of them is left out.
 */
export function shellLine(words: readonly string[], platform: string): string {
  return words.map((word, index) => shellWord(word, platform, index === 0) ?? LEFT_OUT).join(' ');
}

const MEANING = `(${LEFT_OUT} stands for a value that cannot be pasted into every shell.)`;

/** The same text, which says so if a command in it leaves something out. */
export function sayingLeftOut(text: string, command: string = text): string {
  return command.includes(LEFT_OUT) && !text.includes(MEANING) ? `${text} ${MEANING}` : text;
}

/** Quotes one word; `undefined` if it cannot be written safely. */
export function shellWord(word: string, platform: string, isProgram: boolean = false): string | undefined {
  if (platform === 'win32') return windowsWord(word);
  if (PLAIN_WORD.test(word) && !(isProgram && NO_PROGRAM.test(word))) return word;
  return UNSAFE.test(word) ? undefined : quoted(word);
}

/**
 * For cmd and PowerShell, which have no common way to quote what one of them expands. PowerShell refuses a line that
 * starts with a quoted program, and runs nothing.
 */
function windowsWord(word: string): string | undefined {
  if (UNSAFE.test(word)) return undefined;
  if (PLAIN_WINDOWS_WORD.test(word)) return word;
  return QUOTED_WINDOWS_WORD.test(word) ? `"${word}"` : undefined;
}

function quoted(word: string): string {
  if (word === '') return "''";
  return word
    .split(OUTSIDE_QUOTES)
    .map((piece, index) => (index % 2 === 1 ? piece.replaceAll(/./g, '\\$&') : piece === '' ? '' : `'${piece}'`))
    .join('');
}
