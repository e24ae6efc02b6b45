import { COLON, OPEN_BRACE } from '../../json/punctuation.ts';
import { NameLook } from '../names/name-look.ts';
import { type NameStrength, strengthOfName } from '../names/secret-names.ts';
import { kindOfName } from '../placeholder.ts';
import {
  AFTER_NAME,
  ANCHOR_OR_TAG,
  ATTRIBUTES,
  BLOCK_SCALAR,
  BREAK_BEFORE_QUOTE,
  CALL_OR_DEFAULT,
  CDATA,
  CUT_OFF,
  DECLARES,
  IN_CELL,
  INDENT,
  isEdge,
  isElement,
  JOINED_FIELDS,
  LAST_WORD,
  LINE_START,
  matchAt,
  NEXT_ATTRIBUTE,
  NEXT_DEFAULT,
  NEXT_ELEMENT,
  NEXT_MEMBER,
  NUMBER_IN_CODE,
  OPENING_QUOTE,
  REST_OF_LINE,
  SEPARATOR,
  skipSpaces,
  TWO_WORDS_IN_CELL,
  TYPE_AFTER_SPACE,
  TYPE_AND_EQUALS,
  trimmedEnd,
  UP_TO_FIELD_END,
  UP_TO_PUNCTUATION,
  UP_TO_SPACE,
  VERB,
  WHITE_SPACE,
  WRAPPED_VALUE,
} from './assignment-patterns.ts';
import { type DetectedSpan, RANK } from './detector.ts';
import { beginsCookies } from './header-values.ts';
import { NextOffsets } from './next-offsets.ts';
import { isLiteral, isPlausibleSecret, isRandom, isWordy } from './plausibility.ts';
import { RepeatedText } from './repeated-text.ts';

const EQUALS = 0x3d;
const SPACE = 0x20;
/** Values of names are at most this long. Keys in PEM have a detector of their own. */
const MAX_VALUE = 1 << 16;

/** The end of a longer value is not looked at for further fields and punctuation. */
const MAX_VALUE_TRIMMED = 4096;

/** A name in a text. */
interface FoundName {
  readonly start: number;
  readonly end: number;
  readonly strength: NameStrength;
  readonly text: string;
}

/** A value in a text, without its quotes. */
interface FoundValue {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  readonly isSetting: boolean;
  /** Whether it is a field of a query or form, where words with a number count too. */
  readonly inQuery?: boolean;
}

/** The judgement of a value, and the setting in which it was judged. */
interface JudgedValue {
  readonly key: string;
  readonly isPlausible: boolean;
}

/** Finds the values of names that say secret, in the syntaxes of configuration files, source code and shells. */
export class AssignmentFinder {
  readonly #text: string;
  readonly #next: NextOffsets;
  readonly #look = new NameLook();
  readonly #judged = new Map<string, JudgedValue>();
  /** Names that have no secret. */
  readonly #rejected: RepeatedText;
  /** The text up to here has been looked at. */
  #done = 0;

  constructor(text: string) {
    this.#text = text;
    this.#next = new NextOffsets(text);
    this.#look.begin(text);
    this.#rejected = new RepeatedText(text);
  }

  /** Finds the secret that is assigned to the name around `at`. */
  find(at: number): DetectedSpan | undefined {
    if (at < this.#done || !this.#look.callsForLook(at)) return undefined;
    const { nameStart, nameEnd } = this.#look;
    if (this.#rejected.has(nameStart)) {
      this.#done = nameEnd;
      return undefined;
    }
    const name = this.#nameInView();
    const value = name && !beginsCookies(name.text, this.#text, name.end) ? this.#valueOf(name) : undefined;
    if (name !== undefined && value !== undefined && this.#isSecret(value, name.strength)) {
      this.#done = value.end;
      return { start: value.start, end: value.end, kind: kindOfName(name.text), rank: RANK.context };
    }
    this.#rejected.add(nameStart);
    return undefined;
  }

  #isSecret(value: FoundValue, strength: NameStrength): boolean {
    return value.end - value.start <= MAX_VALUE && this.#isPlausible(value, strength);
  }

  #isPlausible({ start, end, quoted, isSetting, inQuery = false }: FoundValue, strength: NameStrength): boolean {
    // The same few values are judged again and again in text that repeats itself.
    const text = this.#text.slice(start, Math.min(end, start + MAX_JUDGED));
    const judged = this.#judged.get(text);
    const key = `${strength} ${quoted} ${isSetting} ${inQuery}`;
    if (judged?.key === key) return judged.isPlausible;
    const isField = inQuery && strength !== 'weak' && /^(?=.*\d).{6}/.test(text) && isLiteral(text);
    const isPlausible = !SCHEMES.test(text) && (isField || isPlausibleSecret(text, { strength, quoted, isSetting }));
    if (this.#judged.size >= MAX_JUDGEMENTS) this.#judged.clear();
    this.#judged.set(text, { key, isPlausible });
    return isPlausible;
  }

  /** The name that was looked at last. */
  #nameInView(): FoundName | undefined {
    const text = this.#text;
    let start = Math.max(this.#done, this.#look.nameStart);
    let end = this.#look.nameEnd;
    this.#done = end;
    while (start < end && isEdge(text.charCodeAt(start))) start++;
    while (end > start && isEdge(text.charCodeAt(end - 1))) end--;
    const name = text.slice(start, end);
    const strength = strengthOfName(name);
    // A label of two words, such as "API key".
    const before = /^key$/i.test(name) ? LAST_WORD.exec(text.slice(Math.max(0, start - 20), start))?.[1] : undefined;
    const both = before === undefined ? undefined : strengthOfName(`${before} ${name}`);
    if (both !== undefined) return { start, end, strength: both, text: `${before} ${name}` };
    return strength && { start, end, strength, text: name };
  }

  #valueOf(name: FoundName): FoundValue | undefined {
    const text = this.#text;
    const next = text.charCodeAt(name.end);
    const paired = next === EQUALS || next === COLON ? undefined : this.#valueOfPair(name);
    if (paired !== undefined) return paired;
    const closing = matchAt(AFTER_NAME, text, name.end);
    const isQuoted = closing?.[1] !== undefined && closing[1] !== '';
    const at = name.end + (closing?.[0].length ?? 0);
    const separator = matchAt(SEPARATOR, text, at)?.[0];
    if (separator === undefined) {
      const attributes = isElement(text, name.start) ? matchAt(ATTRIBUTES, text, name.end) : undefined;
      if (attributes !== undefined) return this.#element(name, name.end + attributes[0].length);
      return this.#valueAfterSpace(name, at);
    }
    const from = at + separator.length;
    switch (separator) {
      case ',':
        return isQuoted || text.charCodeAt(name.start - 1) === OPEN_BRACE
          ? this.#nextArgument(name, skipSpaces(text, from))
          : undefined;
      case '(':
      case '{':
        return this.#onlyArgument(from);
      case '|':
        return this.#cell(name, from);
      case '>':
        return this.#element(name, from);
      default:
        return this.#assigned(name, from, separator, isQuoted);
    }
  }

  /** The argument after a name. A single word may just be the first of several words. */
  #nextArgument(name: FoundName, at: number): FoundValue | undefined {
    const value = this.#quoted(at, false);
    const isOneWord = /^[a-z]+$/.test(name.text) && !/[{-]/.test(this.#text.charAt(name.start - 1));
    return value && isOneWord && isPlainWord(this.#text.slice(value.start, value.end)) ? undefined : value;
  }

  /** The only argument of a call or initializer, as in `setPassword("…")` and `token{"…"}`. */
  #onlyArgument(from: number): FoundValue | undefined {
    const value = this.#quoted(from, false);
    const closing = value && this.#text.slice(value.end, value.end + 12);
    return value && /^\\*["'`][ \t]?[)}]/.test(closing ?? '') && !/\s/.test(this.#text.slice(value.start, value.end))
      ? value
      : undefined;
  }

  /** `name = value` in any of its forms. */
  #assigned(name: FoundName, from: number, separator: string, isQuoted: boolean): FoundValue | undefined {
    const text = this.#text;
    if (separator === ':' && /^(?:\/\/|:)/.test(text.slice(from, from + 2))) return undefined;
    // The default of a variable, as in `${PASSWORD:-value}`.
    const isDefault = separator === ':' && text.startsWith('${', name.start - 2);
    if (isDefault) return this.#unquoted(from + (text.charAt(from) === '-' ? 1 : 0), true, false, true);
    const isSetting = isQuoted || this.#startsLine(name.start) || this.#isWord(name, separator, from);
    const annotation = separator === ':' ? matchAt(TYPE_AND_EQUALS, text, from) : undefined;
    let at = from + (annotation?.[0].length ?? 0);
    at = skipSpaces(text, at);
    if (text.startsWith('**', at)) at = skipSpaces(text, at + 2);
    if (/[&!]/.test(text.charAt(at))) at += matchAt(ANCHOR_OR_TAG, text, at)?.[0].length ?? 0;
    const block = /[|>]/.test(text.charAt(at)) ? matchAt(BLOCK_SCALAR, text, at) : undefined;
    if (block !== undefined) return this.#blockScalar(at + block[0].length, isSetting);
    const quoted = this.#quotedNear(at, separator, isSetting);
    if (quoted !== undefined || /^(?:==|\|\||\?[?:])/.test(separator)) return quoted;
    if (separator === '=' && this.#isDefinition(name, at)) return undefined;
    const inQuery = separator === '=' && /[?&;]/.test(text.charAt(name.start - 1));
    return this.#unquoted(at, isSetting, inQuery, /["'`]/.test(text.charAt(name.start - 1)));
  }

  /** A type (`type Token = X;`), or a constant whose number says nothing (`ER_NOT_VALID_PASSWORD = 1819;`). */
  #isDefinition({ start, text: name }: FoundName, at: number): boolean {
    if (/\btype[ \t]{1,4}$/.test(this.#text.slice(Math.max(0, start - 12), start))) return true;
    return /^[\w.]*[A-Z]$/.test(name) && matchAt(NUMBER_IN_CODE, this.#text, at) !== undefined;
  }

  /** The value in quotes, which may be on the next line, or in a call, or the default of another value. */
  #quotedNear(from: number, separator: string, isSetting: boolean): FoundValue | undefined {
    const text = this.#text;
    // Most values have no quotes, which costs less to see than what may stand before a quote.
    if (this.#nextQuote(from) > from + MAX_BEFORE_QUOTE) return undefined;
    const lineBreak = separator.endsWith('=') ? matchAt(BREAK_BEFORE_QUOTE, text, from) : undefined;
    const at = from + (lineBreak?.[0].length ?? 0);
    const wrapper = matchAt(CALL_OR_DEFAULT, text, at);
    return this.#quoted(at + (wrapper?.[0].length ?? 0), isSetting && wrapper === undefined);
  }

  #nextQuote(from: number): number {
    return Math.min(this.#next.of('"', from), this.#next.of("'", from), this.#next.of('`', from));
  }

  /** The value of a pair such as `name: X` and `value: Y`, or `key="X" value="Y"`, or `<key>X</key><string>Y`. */
  #valueOfPair({ start, end }: FoundName): FoundValue | undefined {
    const text = this.#text;
    const defaultValue = matchAt(NEXT_DEFAULT, text, end);
    if (defaultValue !== undefined) return this.#quoted(end + defaultValue[0].length, true);
    const attribute = matchAt(NEXT_ATTRIBUTE, text, end) ?? matchAt(NEXT_MEMBER, text, end);
    if (attribute !== undefined && /[:=]\s{0,8}\\{0,8}["']?$/.test(text.slice(Math.max(0, start - 16), start))) {
      const at = end + attribute[0].length;
      return this.#quoted(at, true) ?? this.#unquoted(at, true, false);
    }
    const element = matchAt(NEXT_ELEMENT, text, end);
    if (element === undefined) return undefined;
    const at = end + element[0].length;
    return { start: at, end: trimmedEnd(text, at, this.#next.of('<', at)), quoted: true, isSetting: true };
  }

  /** Flags, netrc, SQL, `ENV NAME value` and `setenv NAME value` have nothing but space between name and value. */
  #valueAfterSpace(name: FoundName, at: number): FoundValue | undefined {
    const text = this.#text;
    if (at === name.end || text.charAt(at - 1) > ' ') return undefined;
    const typed = matchAt(TYPE_AFTER_SPACE, text, at);
    if (typed !== undefined && /\s/.test(text.charAt(name.end))) return this.#quoted(at + typed[0].length, true);
    const verb = matchAt(VERB, text, at);
    if (verb !== undefined)
      return this.#quoted(at + verb[0].length, false) ?? this.#unquoted(at + verb[0].length, false, false);
    const before = text.slice(Math.max(0, name.start - 64), name.start);
    const isDeclared = DECLARES.test(before);
    const quoted = this.#quoted(at, isDeclared);
    if (quoted !== undefined)
      return isDeclared || name.strength === 'password' || !/^[a-z]+$/i.test(name.text) ? quoted : undefined;
    const isFlag = before.endsWith('-');
    const isLine = this.#startsLine(name.start);
    const followsLogin = /login\s+\S{1,40}\s+$/.test(before);
    const value = this.#unquoted(at, true, false);
    if (value === undefined || text.startsWith('-', value.start)) return undefined;
    const isAlone = matchAt(REST_OF_LINE, text, value.end) !== undefined;
    if (!isFlag && !isLine && !isDeclared && !followsLogin) {
      const isClear = isAlone && name.strength === 'password';
      const isMadeValue = isRandom(text.slice(value.start, Math.min(value.end, value.start + MAX_JUDGED)));
      return isClear || isMadeValue ? { ...value, isSetting: false } : undefined;
    }
    if (isLine && !isFlag && !isDeclared && !isAlone && !followsLogin) return undefined;
    const isClear = (isFlag || (isLine && isAlone)) && /\d/.test(text.slice(value.start, value.end));
    return { ...value, isSetting: isDeclared || followsLogin || isClear };
  }

  /** A cell of a table, between bars. */
  #cell({ start, text: label }: FoundName, from: number): FoundValue | undefined {
    const text = this.#text;
    const lead = text.slice(Math.max(0, start - 40), start);
    if (!(label.includes(' ') ? TWO_WORDS_IN_CELL : IN_CELL).test(lead)) return undefined;
    const end = this.#next.of('|', from);
    if (end === text.length || this.#next.of('\n', from) < end) return undefined;
    const [, before = '', cell = ''] =
      /^([\s`"'*]*)(.*?)[\s`"'*]*$/.exec(text.slice(from, Math.min(end, from + 512))) ?? [];
    const at = from + before.length;
    return { start: at, end: at + cell.length, quoted: true, isSetting: false };
  }

  /** The text of an XML element that is named so, or whose attribute is. */
  #element({ start }: FoundName, from: number): FoundValue | undefined {
    const text = this.#text;
    if (!isElement(text, start)) return undefined;
    const data = matchAt(CDATA, text, from);
    const at =
      from +
      ((data ?? matchAt(WRAPPED_VALUE, text, from))?.[0].length ?? matchAt(WHITE_SPACE, text, from)?.[0].length ?? 0);
    const end = data ? this.#next.of(']', at) : this.#next.of('<', at);
    return { start: at, end: trimmedEnd(text, at, end), quoted: true, isSetting: true };
  }

  /** Lines of a YAML block, each indented as the first. */
  #blockScalar(from: number, isSetting: boolean): FoundValue | undefined {
    const text = this.#text;
    const indent = matchAt(INDENT, text, from)?.[0];
    if (indent === undefined) return undefined;
    const start = from + indent.length;
    let end = this.#next.of('\n', start);
    for (let lines = 0; lines < 64 && text.startsWith(indent, end + 1) && end < text.length; lines++) {
      end = this.#next.of('\n', end + 1);
    }
    return { start, end: trimmedEnd(text, start, end), quoted: true, isSetting };
  }

  /** A value in quotes, which may be escaped any number of times. */
  #quoted(at: number, isSetting: boolean): FoundValue | undefined {
    const text = this.#text;
    const opening = matchAt(OPENING_QUOTE, text, at);
    if (opening === undefined) return undefined;
    const [all, escapes = '', marks = ''] = opening;
    const start = at + all.length;
    const end = this.#closingQuote(start, escapes.length, marks) ?? (marks === '"' ? this.#cutOff(start) : undefined);
    return end === undefined ? undefined : { start, end, quoted: true, isSetting };
  }

  #cutOff(start: number): number | undefined {
    return matchAt(CUT_OFF, this.#text, start) === undefined ? undefined : CUT_OFF.lastIndex;
  }

  #closingQuote(start: number, escapes: number, marks: string): number | undefined {
    const text = this.#text;
    const mark = marks.charAt(0);
    const isMultiline = marks.length > 1 || mark === '`';
    for (let at = this.#next.of(mark, start); at < text.length; at = this.#next.of(mark, at + 1)) {
      if (at - start > MAX_VALUE || (!isMultiline && this.#next.of('\n', start) < at)) return undefined;
      let backslashes = 0;
      while (backslashes < 32 && text.charCodeAt(at - 1 - backslashes) === 0x5c && at - 1 - backslashes >= start)
        backslashes++;
      const ends = escapes === 0 ? backslashes % 2 === 0 : backslashes <= escapes;
      if (ends && text.startsWith(marks, at)) return at - (escapes === 0 ? 0 : backslashes);
    }
    return undefined;
  }

  /** A value without quotes. On a line of its own it ends with the line, else at punctuation. */
  #unquoted(at: number, startsLine: boolean, inQuery: boolean, isInQuotes = false): FoundValue | undefined {
    const text = this.#text;
    const lineEnd = startsLine && !inQuery && !isInQuotes ? this.#next.endOfRun(UP_TO_SPACE, at) : 0;
    const ownsLine = lineEnd > at && matchAt(REST_OF_LINE, text, lineEnd) !== undefined;
    const end = ownsLine ? lineEnd : this.#next.endOfRun(inQuery ? UP_TO_FIELD_END : UP_TO_PUNCTUATION, at);
    const next = text.slice(end, end + 2);
    const isWordInSentence = /^ [a-z]$/.test(next) && text.charCodeAt(at - 1) === SPACE;
    const endsInCode = ownsLine && text.charAt(end - 1) === ',';
    const isSetting =
      inQuery || (!endsInCode && (ownsLine || (startsLine && !isWordInSentence && /^(?:$|[\s"'};])/.test(next))));
    if (end - at > MAX_VALUE_TRIMMED) return { start: at, end, quoted: inQuery, isSetting, inQuery };
    const run = text.slice(at, end);
    const value = run.replace(ownsLine ? JOINED_FIELDS : /[.:]+$/, '').replace(/[,;]+$/, '');
    if (value === '') return undefined;
    return { start: at, end: at + value.length, quoted: inQuery, isSetting, inQuery };
  }

  /** Returns whether `NAME=value` is a word of its own, as before a command, or `'Name: value'` one in quotes. */
  #isWord({ start, end }: FoundName, separator: string, from: number): boolean {
    if (from !== end + 1) return false;
    return (separator === '=' ? /^$|[\s"'=-]/ : /["']/).test(this.#text.charAt(start - 1));
  }

  /** Returns whether a line begins with the name, apart from keywords, list marks, comments and line numbers. */
  #startsLine(start: number): boolean {
    const before = this.#text.slice(Math.max(0, start - 80), start);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    if (line.length === before.length && start > 80) return false;
    return LINE_START.test(line);
  }
}

/** At most so much stands between a separator and the quote of a value. */
const MAX_BEFORE_QUOTE = 160;
/** How much of a value is judged, and how many judgements are kept. */
const MAX_JUDGED = 128;
const MAX_JUDGEMENTS = 256;
/** Words that are not made a password by digits and symbols. */
function isPlainWord(value: string): boolean {
  return isWordy(value) && !/\d.*[!#$%^&*?+~]|[!#$%^&*?+~].*\d/.test(value);
}

/** A detector of its own finds the credentials after these. */
const SCHEMES = /^(?:bearer|basic)(?:%20|[+\s])/i;
