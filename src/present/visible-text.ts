/**
 * Escapes characters that a reader cannot see or that mislead, for the command line, the terminal UI and the page.
 *
 * Traffic may be hostile: control characters move a terminal's cursor, bidi controls reorder text, and invisible
 * characters hide instructions. Escapes are those of JSON, so an escaped JSON text keeps its meaning.
 */

/** The text with such characters escaped. Line breaks and tabs stay. */
export function visible(text: string): string {
  return PLAIN_LINES.test(text) ? text : text.replace(UNSEEN_BUT_SPACE, (char, at: number) => shown(char, text, at));
}

/** The same for text that must stay on one line: line breaks and tabs are escaped too. */
export function oneLine(text: string): string {
  return isPlain(text) ? text : oneLinePart(text, 0, text.length);
}

/** A part of a text on one line. Characters next to the part count, so that parts join to what the whole would be. */
export function oneLinePart(text: string, start: number, end: number): string {
  return text.slice(start, end).replace(UNSEEN, (char, at: number) => shown(char, text, start + at));
}

/** Whether the text has only printable ASCII characters: each is harmless and one column wide. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** The characters of a text that `visible` escapes, such as `U+202E`, each with its count. */
export function unseenIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { 0: char, index } of text.matchAll(UNSEEN_BUT_SPACE)) {
    if (isNeeded(char, text, index)) continue;
    const name = `U+${hexOf(char.codePointAt(0) ?? 0).toUpperCase()}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const PLAIN = /^[ -~]*$/;
const PLAIN_LINES = /^[\t\n -~]*$/;

/** The flags of England, Scotland and Wales: the only ones that fonts draw from tag characters. */
const TAG_FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((region) => `\\u{1F3F4}${tagsOf(region)}\\u{E007F}`);

/**
 * Characters without a glyph of their own. Private-use characters are included, because nobody can tell what they
 * show, and so are blank symbols that are not spaces. Arabic signs that enclose digits are format characters with a
 * glyph.
 */
const CLASSES = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}`;
const BLANKS = String.raw`\u2800\uFFFC\u{16FE4}\u{1D159}`;
const DRAWN = String.raw`\u0600-\u0605\u06DD\u0890\u0891\u08E2\u{110BD}\u{110CD}`;
const UNSEEN = new RegExp(`${TAG_FLAGS.join('|')}|(?![${DRAWN}])[${CLASSES}${BLANKS}]`, 'gu');
const UNSEEN_BUT_SPACE = new RegExp(`${TAG_FLAGS.join('|')}|(?![\\t\\n${DRAWN}])[${CLASSES}${BLANKS}]`, 'gu');

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

function tagsOf(letters: string): string {
  return [...letters].map((letter) => `\\u{E00${letter.charCodeAt(0).toString(16)}}`).join('');
}

/** Whether an emoji or a script needs a character that has no glyph of its own. */
function isNeeded(char: string, text: string, at: number): boolean {
  // Only the flags are longer than one character.
  if (char.length > 2) return true;
  const rules = NEEDED.get(char);
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

/**
 * What must stand before and after a character for it to be needed. The two characters before it come in reverse order:
 * in some browsers a class of characters fails to match before `$`.
 */
type ContextRule = readonly [before: RegExp, after: RegExp];

const ANYTHING = /^/u;

/** Scripts whose letters take other forms next to a joiner. */
const JOINING = ['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Phag', 'Adlm', 'Rohg']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const JOINING_LETTER = `(?=[\\p{L}\\p{M}])[${JOINING}]`;

/** Signs that remove a consonant's vowel, with the canonical combining class 9. Regular expressions cannot name it. */
const VIRAMA = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u0F84\u1039\u103A\u1714\u1715\u1734\u17D2\u1A60\u1B44\u1BAA\u1BAB\u1BF2\u1BF3\uA806\uA82C\uA8C4\uA953\uA9C0\uAAF6\uABED\u{10A3F}\u{11046}\u{11070}\u{110B9}\u{11133}\u{11134}\u{111C0}\u{11235}\u{112EA}\u{1134D}\u{113CE}-\u{113D0}\u{11442}\u{114C2}\u{115BF}\u{1163F}\u{116B6}\u{1172B}\u{11839}\u{1193D}\u{1193E}\u{119E0}\u{11A34}\u{11A47}\u{11A99}\u{11C3F}\u{11D44}\u{11D45}\u{11D97}\u{11F41}\u{11F42}]`;

const NOT_A_JOINER = /^(?![\u200C\u200D])/u;
const AFTER_VIRAMA: ContextRule = [new RegExp(`^${VIRAMA}`, 'u'), NOT_A_JOINER];
const BEFORE_VIRAMA: ContextRule = [/^\p{M}?\p{L}/u, new RegExp(`^${VIRAMA}`, 'u')];

const ZWNJ: readonly ContextRule[] = [
  AFTER_VIRAMA,
  BEFORE_VIRAMA,
  // Persian adds its endings to Latin words and to digits as well, and its prefixes.
  [/^[\p{L}\p{M}\p{N}]/u, new RegExp(`^${JOINING_LETTER}`, 'u')],
  [new RegExp(`^${JOINING_LETTER}`, 'u'), /^[\p{L}\p{N}]/u],
  // Kurdish writes a vowel as heh and non-joiner, at the end of a word too.
  [/^\u0647/u, /^[ \n.,:!)\u060C\u061B\u061F\u00BB]/u],
  // Khmer keeps the form of a register sign with it.
  [/^(?=[\p{L}\p{M}])\p{scx=Khmr}/u, /^(?=\p{M})\p{scx=Khmr}/u],
];

const ZWJ: readonly ContextRule[] = [
  [/^(?:\uFE0F|\p{EMod})?\p{ExtPict}/u, /^\p{ExtPict}/u],
  AFTER_VIRAMA,
  BEFORE_VIRAMA,
  // A letter that stands alone shows its joined form next to a joiner.
  [new RegExp(`^${JOINING_LETTER}`, 'u'), NOT_A_JOINER],
  [NOT_A_JOINER, new RegExp(`^${JOINING_LETTER}`, 'u')],
];

/** Selects an emoji or a text form. Digits, `#` and `*` have these for keycaps. */
const EMOJI_FORM: readonly ContextRule[] = [[/^[\p{ExtPict}0-9#*]/u, ANYTHING]];

const MONGOLIAN_FORM: readonly ContextRule[] = [[/^(?=\p{L})\p{sc=Mong}/u, ANYTHING]];

const NEEDED: ReadonlyMap<string, readonly ContextRule[]> = new Map([
  ['\u200C', ZWNJ],
  ['\u200D', ZWJ],
  ['\uFE0E', EMOJI_FORM],
  ['\uFE0F', EMOJI_FORM],
  // Dotted forms in Myanmar and turned ones in Phags-pa.
  ['\uFE00', [[/^(?=\p{L})[\p{sc=Mymr}\p{sc=Phag}]/u, ANYTHING]]],
  ['\u180B', MONGOLIAN_FORM],
  ['\u180C', MONGOLIAN_FORM],
  ['\u180D', MONGOLIAN_FORM],
  ['\u180F', MONGOLIAN_FORM],
  // Separates a final a or e.
  ['\u180E', [[/^[\u180B-\u180D\u180F]?(?=\p{L})\p{sc=Mong}/u, /^[\u1820\u1821]/u]]],
  ['\u070F', [[ANYTHING, /^(?=\p{L})\p{sc=Syrc}/u]]],
]);
