import { BACKSLASH } from '../../json/punctuation.ts';

const PERCENT = 0x25;
const LOWER_U = 0x75;
const LOWER_X = 0x78;
const LOWER_M = 0x6d;
const CONTROL_LETTERS = 'nrtbfv0';

/** The end of a colour of a terminal, as itself or in the spelling of a language. */
const COLOUR = /(?:\p{Cc}|\\u001b|\\x1b|\\033|\\e)\[[0-9;]{0,12}m$/iu;
const MAX_COLOUR = 24;

/**
 * Whether a token may begin here, rather than lie within a longer word. A run of the characters that tokens are made of
 * has one such place, so that looking once at every run is all the work there is.
 */
export function startsToken(text: string, at: number): boolean {
  return at === 0 || !isTokenCharacter(text.charCodeAt(at - 1)) || followsEscape(text, at);
}

/**
 * Whether the letter or digit before `at` ends an escape of a language within the text, a percent-encoded character or
 * a terminal's colour, and so is no part of the word that follows.
 */
function followsEscape(text: string, at: number): boolean {
  if (text.charCodeAt(at - 2) === BACKSLASH) return CONTROL_LETTERS.includes(text.charAt(at - 1));
  if (text.charCodeAt(at - 3) === PERCENT) return true;
  if (text.charCodeAt(at - 4) === BACKSLASH && text.charCodeAt(at - 3) === LOWER_X) return true;
  if (text.charCodeAt(at - 6) === BACKSLASH && text.charCodeAt(at - 5) === LOWER_U) return true;
  return text.charCodeAt(at - 1) === LOWER_M && COLOUR.test(text.slice(Math.max(0, at - MAX_COLOUR), at));
}

function isTokenCharacter(c: number): boolean {
  return (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a) || (c >= 0x30 && c <= 0x39) || c === 0x5f || c === 0x2d;
}
