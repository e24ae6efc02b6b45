import { type UnseenCharacters, unseenCharacters } from './unseen-characters.ts';

/**
 * Escapes characters that a reader cannot see or that mislead, for the command line, the terminal UI and the page.
 *
 * Traffic may be hostile: control characters move a terminal's cursor, bidi controls reorder text, and invisible
 * characters hide instructions. Escapes are those of JSON, so an escaped JSON text keeps its meaning.
 */

/** The text with such characters escaped. Line breaks and tabs stay. */
export function visible(text: string): string {
  return PLAIN_LINES.test(text)
    ? text
    : text.replace(characters().unseenButSpace, (char, at: number) => shown(char, text, at));
}

/** The same for text that must stay on one line: line breaks and tabs are escaped too. */
export function oneLine(text: string): string {
  return isPlain(text) ? text : oneLinePart(text, 0, text.length);
}

/** A part of a text on one line. Characters next to the part count, so that parts join to what the whole would be. */
export function oneLinePart(text: string, start: number, end: number): string {
  return text.slice(start, end).replace(characters().unseen, (char, at: number) => shown(char, text, start + at));
}

/** Whether the text has only printable ASCII characters: each is harmless and one column wide. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** The characters of a text that `visible` escapes, such as `U+202E`, each with its count. */
export function unseenIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { 0: char, index } of text.matchAll(characters().unseenButSpace)) {
    if (isNeeded(char, text, index)) continue;
    const name = `U+${hexOf(char.codePointAt(0) ?? 0).toUpperCase()}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

let known: UnseenCharacters | undefined;

/** Nearly every text is plain, and compiling the expressions for the others takes a while. */
function characters(): UnseenCharacters {
  known ??= unseenCharacters();
  return known;
}

const PLAIN = /^[ -~]*$/;
const PLAIN_LINES = /^[\t\n -~]*$/;

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function shown(char: string, text: string, at: number): string {
  return isNeeded(char, text, at) ? char : (ESCAPES[char] ?? escapedUnits(char));
}

/** Beyond U+FFFF, JSON needs two escapes. */
function escapedUnits(char: string): string {
  let escaped = '';
  for (let i = 0; i < char.length; i++) escaped += `\\u${hexOf(char.charCodeAt(i))}`;
  return escaped;
}

function hexOf(code: number): string {
  return code.toString(16).padStart(4, '0');
}

/** Whether an emoji or a script needs a character that has no glyph of its own. */
function isNeeded(char: string, text: string, at: number): boolean {
  // Only the flags are longer than one character.
  if (char.length > 2) return true;
  const rules = characters().needed.get(char);
  if (rules === undefined) return false;
  const last = characterBefore(text, at);
  const before = last + characterBefore(text, at - last.length);
  const after = text.slice(at + char.length, at + char.length + 2);
  return rules.some(([follows, precedes]) => follows.test(before) && precedes.test(after));
}

function characterBefore(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), Math.max(0, end));
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : pair.slice(-1);
}
