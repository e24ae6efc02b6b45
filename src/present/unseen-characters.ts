/**
 * What must stand before and after a character for it to be needed. The two characters before it come in reverse order:
 * in some browsers a class of characters fails to match before `$`.
 */
export type ContextRule = readonly [before: RegExp, after: RegExp];

/** The characters that a reader cannot see, and the contexts in which a text needs them. */
export interface UnseenCharacters {
  readonly unseen: RegExp;
  /** The same without line breaks and tabs. */
  readonly unseenButSpace: RegExp;
  readonly needed: ReadonlyMap<string, readonly ContextRule[]>;
}

/** The flags of England, Scotland and Wales: the only ones that fonts draw from tag characters. */
const TAG_FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((region) => `\\u{1F3F4}${tagsOf(region)}\\u{E007F}`);

/**
 * Characters without a glyph of their own. Private-use characters are included, because no one can see what they
 * show, and so are blank symbols that are not spaces. Arabic signs that enclose digits are format characters with a
 * glyph.
 */
const CLASSES = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}`;
const BLANKS = String.raw`\u2800\uFFFC\u{16FE4}\u{1D159}`;
const DRAWN = String.raw`\u0600-\u0605\u06DD\u0890\u0891\u08E2\u{110BD}\u{110CD}`;

/** Scripts whose letters take other forms next to a joiner. */
const JOINING = ['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Phag', 'Adlm', 'Rohg']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const JOINING_LETTER = `(?=[\\p{L}\\p{M}])[${JOINING}]`;

/** Signs that remove a consonant's vowel, with the canonical combining class 9. Regular expressions cannot name it. */
const VIRAMA = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u0F84\u1039\u103A\u1714\u1715\u1734\u17D2\u1A60\u1B44\u1BAA\u1BAB\u1BF2\u1BF3\uA806\uA82C\uA8C4\uA953\uA9C0\uAAF6\uABED\u{10A3F}\u{11046}\u{11070}\u{110B9}\u{11133}\u{11134}\u{111C0}\u{11235}\u{112EA}\u{1134D}\u{113CE}-\u{113D0}\u{11442}\u{114C2}\u{115BF}\u{1163F}\u{116B6}\u{1172B}\u{11839}\u{1193D}\u{1193E}\u{119E0}\u{11A34}\u{11A47}\u{11A99}\u{11C3F}\u{11D44}\u{11D45}\u{11D97}\u{11F41}\u{11F42}]`;

function tagsOf(letters: string): string {
  return [...letters].map((letter) => `\\u{E00${letter.charCodeAt(0).toString(16)}}`).join('');
}

/** Classes of Unicode are not in literals, because those are compiled with the module. */
function unicode(source: string): RegExp {
  return new RegExp(source, 'u');
}

/** Compiles the expressions, which takes milliseconds. */
export function unseenCharacters(): UnseenCharacters {
  const anything = unicode('^');
  const notAJoiner = unicode(String.raw`^(?![\u200C\u200D])`);
  const afterVirama: ContextRule = [unicode(`^${VIRAMA}`), notAJoiner];
  const beforeVirama: ContextRule = [unicode(String.raw`^\p{M}?\p{L}`), unicode(`^${VIRAMA}`)];

  const zwnj: readonly ContextRule[] = [
    afterVirama,
    beforeVirama,
    // Persian adds its endings to Latin words and to digits as well, and its prefixes.
    [unicode(String.raw`^[\p{L}\p{M}\p{N}]`), unicode(`^${JOINING_LETTER}`)],
    [unicode(`^${JOINING_LETTER}`), unicode(String.raw`^[\p{L}\p{N}]`)],
    // Kurdish writes a vowel as heh and non-joiner, at the end of a word too.
    [unicode(String.raw`^\u0647`), unicode(String.raw`^[ \n.,:!)\u060C\u061B\u061F\u00BB]`)],
    // Khmer keeps the form of a register sign with it.
    [unicode(String.raw`^(?=[\p{L}\p{M}])\p{scx=Khmr}`), unicode(String.raw`^(?=\p{M})\p{scx=Khmr}`)],
  ];

  const zwj: readonly ContextRule[] = [
    [unicode(String.raw`^(?:\uFE0F|\p{EMod})?\p{ExtPict}`), unicode(String.raw`^\p{ExtPict}`)],
    afterVirama,
    beforeVirama,
    // A letter that stands alone shows its joined form next to a joiner.
    [unicode(`^${JOINING_LETTER}`), notAJoiner],
    [notAJoiner, unicode(`^${JOINING_LETTER}`)],
  ];

  /** Selects an emoji or a text form. Digits, `#` and `*` have these for keycaps. */
  const emojiForm: readonly ContextRule[] = [[unicode(String.raw`^[\p{ExtPict}0-9#*]`), anything]];

  const mongolianForm: readonly ContextRule[] = [[unicode(String.raw`^(?=\p{L})\p{sc=Mong}`), anything]];

  const needed: ReadonlyMap<string, readonly ContextRule[]> = new Map([
    ['\u200C', zwnj],
    ['\u200D', zwj],
    ['\uFE0E', emojiForm],
    ['\uFE0F', emojiForm],
    // Dotted forms in Myanmar and turned ones in Phags-pa.
    ['\uFE00', [[unicode(String.raw`^(?=\p{L})[\p{sc=Mymr}\p{sc=Phag}]`), anything]]],
    ['\u180B', mongolianForm],
    ['\u180C', mongolianForm],
    ['\u180D', mongolianForm],
    ['\u180F', mongolianForm],
    // Separates a final a or e.
    [
      '\u180E',
      [[unicode(String.raw`^[\u180B-\u180D\u180F]?(?=\p{L})\p{sc=Mong}`), unicode(String.raw`^[\u1820\u1821]`)]],
    ],
    ['\u070F', [[anything, unicode(String.raw`^(?=\p{L})\p{sc=Syrc}`)]]],
  ]);
  const flags = TAG_FLAGS.join('|');
  return {
    unseen: new RegExp(`${flags}|(?![${DRAWN}])[${CLASSES}${BLANKS}]`, 'gu'),
    unseenButSpace: new RegExp(`${flags}|(?![\\t\\n${DRAWN}])[${CLASSES}${BLANKS}]`, 'gu'),
    needed,
  };
}
