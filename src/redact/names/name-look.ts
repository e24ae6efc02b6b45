import { BACKSLASH, CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../json/punctuation.ts';
import {
  BAR,
  EQUALS,
  HYPHEN,
  isColumnMark,
  isDigit,
  isEdge,
  isEscapedSpace,
  isFiller,
  isFirstOfValue,
  isLead,
  isLetter,
  isNameCharacter,
  isQuote,
  isQuotePrefix,
  isSeparator,
  isWordJoint,
  LESS,
  OPEN_PARENTHESIS,
  SEMICOLON,
  TAB,
} from './name-characters.ts';
import { MAX_NAME, type NameStrength, strengthOfNameIn } from './secret-names.ts';

/** The maximum length of quotes and white space around a separator. */
const MAX_SKIPPED = 120;
/** How much of a value is looked at. */
const MAX_VALUE_LOOK = 40;
/** A digit within so many characters is enough to see. */
const ENOUGH_VALUE = 12;
/** How far a type may stand between a name and its value. */
const MAX_TYPE = 32;
/** How far a name and its value may be apart in a pair. */
const PAIR_REACH = 320;

const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const ESCAPE = 0x1b;
/** Colors of a terminal, raw or escaped in JSON text. */
const COLOURS = /(?:(?:[^ -~]|\\{1,8}u001b)\[[0-9;]{0,12}m){1,4}/iy;
/** Longer text in brackets is no index and no default of a prompt. */
const MAX_INDEX = 26;

/**
 * Decides quickly whether a name in a text may have a secret as its value. It looks at the name, at what separates it
 * from its value, and at the beginning of the value, in raw JSON text as well as in decoded strings. It may return false
 * positives but no false negatives.
 */
export class NameLook {
  /** Whether a member that holds headers has begun. Any value of a secret header counts. */
  sawHeaders = false;
  protected text = '';
  /** A part of a value that has neither digit nor symbol, and the last character in it that is no letter. */
  #plainStart = 0;
  #plainEnd = 0;
  #plainJoint = -1;
  /** The last name that was judged. */
  #lastStart = 0;
  #lastEnd = 0;
  #lastStrength: NameStrength | undefined;
  /** The name that was looked at last. */
  nameStart = 0;
  nameEnd = 0;

  /** Begins with a text. */
  begin(text: string): void {
    this.text = text;
    this.sawHeaders = false;
    this.#plainStart = 0;
    this.#plainEnd = 0;
    this.#plainJoint = -1;
    this.nameStart = 0;
    this.nameEnd = 0;
    this.#lastEnd = 0;
  }

  /** Looks at the name around an offset. Each name is looked at once. */
  callsForLook(at: number): boolean {
    if (at < this.nameEnd) return false;
    const first = this.nameEnd;
    let nameStart = at;
    while (nameStart > first && at - nameStart < MAX_NAME && isNameCharacter(this.text.charCodeAt(nameStart - 1)))
      nameStart--;
    let nameEnd = at;
    while (
      nameEnd < this.text.length &&
      nameEnd - nameStart <= MAX_NAME &&
      isNameCharacter(this.text.charCodeAt(nameEnd))
    )
      nameEnd++;
    this.nameStart = nameStart;
    this.nameEnd = nameEnd;
    if (this.#isShortNumber(nameEnd)) return false;
    if (this.#isColumn(nameStart, nameEnd) || this.#followsValue(nameStart, nameEnd)) return true;
    // A separator must follow, which costs less to see than what the name means.
    const i = this.#skip(this.#skipIndex(this.#skipColours(nameEnd)), isFiller);
    if (i >= this.text.length) return false;
    const next = this.text.charCodeAt(i);
    if (isSeparator(next)) return this.#assignmentCallsForLook(nameStart, nameEnd, i + 1);
    // An element of a map, as in Perl: `$ENV{NAME} = …`.
    if (next === CLOSE_BRACE && this.text.charCodeAt(nameStart - 1) === OPEN_BRACE && this.#precedesEquals(i + 1))
      return this.#assignmentCallsForLook(nameStart, nameEnd, i + 1);
    if (next === COMMA || next === CLOSE_BRACE) return this.#pairCallsForLook(nameStart, nameEnd, i, next);
    if ((next === OPEN_PARENTHESIS || next === OPEN_BRACE) && i === nameEnd)
      return this.#opensQuote(i + 1) && this.#assignmentCallsForLook(nameStart, nameEnd, i + 1);
    return (i > nameEnd || next === LESS) && this.#followedByValue(nameStart, nameEnd, i);
  }

  /** Returns whether a name is one of a list without spaces, such as the first line of a table has. */
  #isColumn(nameStart: number, nameEnd: number): boolean {
    const { text } = this;
    const before = nameStart === 0 ? 0 : text.charCodeAt(nameStart - 1);
    // The letter of an escape precedes a name in JSON text.
    const beginsList = before <= 0x20 || before === BACKSLASH || isColumnMark(before) || before === QUOTE;
    if (!beginsList || nameEnd >= text.length) return false;
    const next = text.charCodeAt(nameEnd);
    const ends = next === QUOTE ? nameEnd + 1 : nameEnd;
    const c = ends < text.length ? text.charCodeAt(ends) : 0;
    const after = ends + 1 < text.length ? text.charCodeAt(ends + 1) : 0;
    const isMark = c === COMMA || c === SEMICOLON || c === TAB || (c === BACKSLASH && isEscapedSpace(after));
    const isLineEnd = (c === LINE_FEED || c === RETURN) && (isColumnMark(before) || before === QUOTE);
    // A list in code has spaces.
    if (!isLineEnd && (!isMark || (c === COMMA && after <= 0x20))) return false;
    return this.#isStrong(nameStart, nameEnd);
  }

  /** Returns whether a name ends a pair whose value comes first. */
  #followsValue(nameStart: number, nameEnd: number): boolean {
    const before = nameStart === 0 ? 0 : this.text.charCodeAt(nameStart - 1);
    if (before !== SPACE && !isQuote(before)) return false;
    const lead = this.text.slice(Math.max(0, nameStart - PAIR_REACH), nameStart);
    return NAME_FOLLOWS.test(lead) && /value/i.test(lead) && this.#strength(nameStart, nameEnd) !== undefined;
  }

  /** Returns whether the member of an object has a number of three digits at most, such as a progress token. */
  #isShortNumber(nameEnd: number): boolean {
    const { text } = this;
    if (text.charCodeAt(nameEnd) !== QUOTE || text.charCodeAt(nameEnd + 1) !== COLON) return false;
    let i = nameEnd + 2;
    while (i < nameEnd + 5 && isDigit(text.charCodeAt(i))) i++;
    const next = text.charCodeAt(i);
    return i > nameEnd + 2 && (next === COMMA || next === CLOSE_BRACE);
  }

  #assignmentCallsForLook(nameStart: number, nameEnd: number, from: number): boolean {
    const value = this.#lookAtValue(from);
    if (value === undefined) return false;
    const strength = this.#strength(nameStart, nameEnd);
    return strength !== undefined && this.#isLongEnough(value, strength);
  }

  #precedesEquals(at: number): boolean {
    return /^\s?=/.test(this.text.slice(at, at + 2));
  }

  /** Skips the colors of a terminal. */
  #skipColours(at: number): number {
    const c = at < this.text.length ? this.text.charCodeAt(at) : 0;
    if (c !== ESCAPE && c !== BACKSLASH) return at;
    COLOURS.lastIndex = at;
    return COLOURS.test(this.text) ? COLOURS.lastIndex : at;
  }

  /** Skips the brackets of an array and what a prompt shows in brackets: `key[] =`, `Key [None]:`. */
  #skipIndex(at: number): number {
    const from = this.text.charCodeAt(at) === SPACE ? at + 1 : at;
    if (from >= this.text.length || this.text.charCodeAt(from) !== OPEN_BRACKET) return at;
    const end = Math.min(this.text.length, from + MAX_INDEX);
    for (let i = from + 1; i < end; i++) if (this.text.charCodeAt(i) === CLOSE_BRACKET) return i + 1;
    return at;
  }

  #opensQuote(at: number): boolean {
    const c = at < this.text.length ? this.text.charCodeAt(at) : 0;
    return isQuote(c) || c === BACKSLASH;
  }

  /** `"name": "X", "value": "Y"` in either order, and `define('X', 'Y')`. */
  #pairCallsForLook(nameStart: number, nameEnd: number, at: number, separator: number): boolean {
    const before = this.text.charCodeAt(nameStart - 1);
    // A label may have several words.
    const isMarked =
      isQuote(before) || before === OPEN_BRACE || before === SPACE || before === COLON || before === OPEN_PARENTHESIS;
    const strength = isMarked ? this.#strength(nameStart, nameEnd) : undefined;
    if (strength === undefined) return false;
    if (this.sawHeaders) return true;
    const value = separator === COMMA ? this.#lookAtValue(at + 1) : undefined;
    if (strength === 'weak') return value !== undefined && (value.length >= 12 || value.isFollowed);
    if (value !== undefined && (value.isFollowed || (value.hasDigit && value.length >= 4) || value.length >= 12))
      return true;
    return /value|content|default/i.test(
      this.text.slice(Math.max(0, at - PAIR_REACH), Math.min(this.text.length, at + PAIR_REACH)),
    );
  }

  /** Names that only white space or markup separates from a value: flags, netrc, SQL, tables, property lists. */
  #followedByValue(nameStart: number, nameEnd: number, at: number): boolean {
    const next = this.text.charCodeAt(at);
    const isFlag =
      this.text.charCodeAt(nameStart) === HYPHEN || (nameStart > 0 && this.text.charCodeAt(nameStart - 1) === HYPHEN);
    const isMarked =
      isFlag ||
      next === LESS ||
      isQuote(this.text.charCodeAt(at - 1)) ||
      VALUE_FOLLOWS.test(this.text.slice(at, at + 3));
    if (!isMarked && !this.#isFollowedByType(at) && !isFirstOfValue(next)) return false;
    if (!this.#isStrong(nameStart, nameEnd)) return false;
    return (
      isMarked ||
      this.#isFollowedByType(at) ||
      NEXT_VALUE.test(this.text.slice(nameEnd, Math.min(this.text.length, nameEnd + 80)))
    );
  }

  /** A type or a value with a digit follows: `var token string = "…"`, `password hunter2`. */
  #isFollowedByType(at: number): boolean {
    const end = Math.min(this.text.length, at + MAX_TYPE);
    for (let i = at; i < end; i++) {
      const c = this.text.charCodeAt(i);
      if (c === EQUALS || isDigit(c)) return true;
    }
    return false;
  }

  #lookAtValue(from: number): ValueLook | undefined {
    let i = this.#skip(from, isLead);
    if (i >= this.text.length) return undefined;
    // A letter may say what kind of string follows, as in Python.
    if (i + 1 < this.text.length && isQuotePrefix(this.text.charCodeAt(i)) && this.#opensQuote(i + 1))
      i = this.#skip(i + 1, isLead);
    if (i >= this.text.length) return undefined;
    const first = this.text.charCodeAt(i);
    // In quotes, brackets are part of the value.
    const isQuoted = i > from && isQuote(this.text.charCodeAt(i - 1));
    if (first === OPEN_BRACE && !isQuoted)
      return this.#objectHoldsValue(i) || IN_BRACES.test(this.text.slice(i, i + MAX_VALUE_LOOK)) ? FOLLOWED : undefined;
    if (first === LESS && !isQuoted && i + 1 < this.text.length && isLetter(this.text.charCodeAt(i + 1)))
      return this.#isFollowedByTag(i + 1);
    if (VALUE_BELOW.test(this.text.slice(i, i + 9))) return FOLLOWED;
    // A raw string of Rust.
    if (first === 0x72 && this.text.charCodeAt(i + 1) === 0x23) return FOLLOWED;
    // A type may begin with a reference, a value with a tag of YAML or a mark of a template.
    if (first === 0x26 || first === 0x21) return FOLLOWED;
    if (first === LESS && this.text.charCodeAt(i + 1) === 0x25) return FOLLOWED;
    const start = i;
    const end = Math.min(this.text.length, start + MAX_VALUE_LOOK);
    let hasDigit = false;
    let hasSymbol = false;
    let isLetters = true;
    let joint = -1;
    if (start >= this.#plainStart && start <= this.#plainJoint) {
      // This part was looked at for the name before, and it has no digit.
      i = this.#plainEnd;
      joint = this.#plainJoint;
      isLetters = false;
    }
    for (; i < end; i++) {
      const c = this.text.charCodeAt(i);
      if (c <= 0x20 || isQuote(c)) break;
      if (hasDigit && i - start >= ENOUGH_VALUE) break;
      if (isDigit(c)) hasDigit = true;
      else if (!isLetter(c)) {
        isLetters = false;
        if (isWordJoint(c)) joint = i;
        else hasSymbol = true;
      }
    }
    // A call may take the value: `[]byte("…")`.
    let last = i - 1;
    while (last > start && this.text.charCodeAt(last) === BACKSLASH) last--;
    if (last > start && this.text.charCodeAt(last) === OPEN_PARENTHESIS) return FOLLOWED;
    if (!hasDigit && !hasSymbol) {
      this.#plainStart = start;
      this.#plainEnd = i;
      this.#plainJoint = joint;
    }
    // A type may stand before the value: `token: string = "…"`.
    if (isQuote(this.text.charCodeAt(i)) && this.text.charCodeAt(i + 1) === this.text.charCodeAt(i)) return FOLLOWED;
    const next = i + 1 < this.text.length && this.text.charCodeAt(i) === 0x20 ? this.text.charCodeAt(i + 1) : 0;
    const isFollowed = next === EQUALS || next === BAR || next === 0x3f || next === 0x6f;
    const isMoreText = next !== 0;
    return { length: i - start, hasDigit, hasSymbol, isLetters, isFollowed, isMoreText };
  }

  /** An object under the name has a member `value`, or one for a host. */
  #objectHoldsValue(at: number): boolean {
    return /"(?:value|default|[\w-]+\.[\w.-]+)\\*"/.test(
      this.text.slice(at, Math.min(this.text.length, at + PAIR_REACH / 2)),
    );
  }

  /** The value is in an element `value`, `string` or `data`. */
  #isFollowedByTag(at: number): ValueLook | undefined {
    return isFirstOfValue(this.text.charCodeAt(at)) ? FOLLOWED : undefined;
  }

  #isLongEnough(value: ValueLook, strength: NameStrength): boolean {
    const { length, hasDigit, hasSymbol, isLetters, isFollowed, isMoreText } = value;
    if (this.sawHeaders) return length > 0;
    if (isFollowed) return true;
    const isMade = hasDigit || hasSymbol || isLetters;
    if (strength === 'password') return length >= 4 || (length >= 2 && isMoreText);
    return strength === 'secret' ? isMade && (length >= 8 || (length >= 6 && hasDigit)) : isMade && length >= 12;
  }

  /** Skips characters of a class, and line breaks and tabs that are escaped in JSON text. */
  #skip(from: number, isSkipped: (c: number) => boolean): number {
    const end = Math.min(this.text.length, from + MAX_SKIPPED);
    let i = from;
    while (i < end) {
      const c = this.text.charCodeAt(i);
      if (!isSkipped(c)) break;
      i += c === BACKSLASH && i + 1 < this.text.length && isEscapedSpace(this.text.charCodeAt(i + 1)) ? 2 : 1;
    }
    return i;
  }

  #isStrong(nameStart: number, nameEnd: number): boolean {
    const strength = this.#strength(nameStart, nameEnd);
    return strength === 'password' || strength === 'secret';
  }

  #strength(nameStart: number, nameEnd: number): NameStrength | undefined {
    let [start, end] = [nameStart, nameEnd];
    while (start < end && isEdge(this.text.charCodeAt(start))) start++;
    while (end > start && isEdge(this.text.charCodeAt(end - 1))) end--;
    // In JSON text, the letter of an escape such as `\n` precedes a name that begins a line.
    const isEscaped = start > 0 && this.text.charCodeAt(start - 1) === BACKSLASH;
    if (isEscaped) start++;
    if (this.#isLastName(start, end)) return this.#lastStrength;
    let strength = strengthOfNameIn(this.text, start, end);
    if (strength === undefined && isEscaped) strength = strengthOfNameIn(this.text, start + 1, end);
    // Two words may be a label (`API key`).
    if (strength === 'weak' && end - start === 3) strength = 'secret';
    if (!isEscaped) {
      this.#lastStart = start;
      this.#lastEnd = end;
      this.#lastStrength = strength;
    }
    return strength;
  }

  /** Returns whether a name is the same as the one that was judged last. No word that says anything has digits. */
  #isLastName(start: number, end: number): boolean {
    if (end - start !== this.#lastEnd - this.#lastStart || this.#lastEnd === 0) return false;
    const shift = start - this.#lastStart;
    for (let i = end - 1; i >= start; i--) {
      const c = this.text.charCodeAt(i);
      const last = this.text.charCodeAt(i - shift);
      if (c !== last && !(isDigit(c) && isDigit(last))) return false;
    }
    return true;
  }
}

/** What the beginning of a value looks like. */
interface ValueLook {
  readonly length: number;
  readonly hasDigit: boolean;
  /** Whether it contains a symbol that does not occur in names. */
  readonly hasSymbol: boolean;
  readonly isLetters: boolean;
  /** Whether an operator follows, which may have the value on its other side. */
  readonly isFollowed: boolean;
  readonly isMoreText: boolean;
}

/** What must be looked at more closely. */
const FOLLOWED: ValueLook = {
  length: 0,
  hasDigit: false,
  hasSymbol: false,
  isLetters: false,
  isFollowed: true,
  isMoreText: false,
};

/** An option with the value, or the function that makes it. */
const VALUE_FOLLOWS = /^(?:--|->|by |<<|FOR)/;
/** A value in braces, which some languages use as quotes. */
const IN_BRACES = /^\{\s?(?:\\*["'`]|[^\s{}"'$]{4,})/;

/** A member below the name that has its value. */
const VALUE_BELOW = /^(?:value|default):/;

/** The value of a pair before its name, up to which both stand. */
const NAME_FOLLOWS = /(?:[Nn]ame|[Kk]ey|id)[\\"']*\s?[:=]\s?[\\"']*$/;

const NEXT_VALUE = /^[\\nrt\s"',]*(?:secret|default)?val(?:ue)?[\\"']*\s*[:=]/i;
