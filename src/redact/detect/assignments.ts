import { COLON } from '../../json/punctuation.ts';
import { NameLook } from '../names/name-look.ts';
import { type NameStrength, strengthOfName, strengthOfNameIn } from '../names/secret-names.ts';
import { kindOfName } from '../placeholder.ts';
import { COST, type WorkBudget } from '../work-budget.ts';
import { AssignedValues, type FoundValue, MAX_VALUE } from './assigned-values.ts';
import {
  AFTER_NAME,
  ANCHOR_OR_TAG,
  ATTRIBUTES,
  BLOCK_SCALAR,
  CDATA,
  DECLARES,
  IN_CELL,
  isEdge,
  isElement,
  LAST_WORD,
  LINE_START,
  matchAt,
  NEXT_ATTRIBUTE,
  NEXT_DEFAULT,
  NEXT_ELEMENT,
  NEXT_MEMBER,
  NEXT_OPTION,
  NEXT_QUOTED,
  NUMBER_IN_CODE,
  REST_OF_LINE,
  SEPARATOR,
  skipSpaces,
  TWO_WORDS_IN_CELL,
  TYPE_AFTER_SPACE,
  TYPE_AND_EQUALS,
  trimmedEnd,
  UP_TO_CONNECTION_END,
  UP_TO_FIELD_END,
  VALUE_BEFORE,
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

/** A name in a text. */
interface FoundName {
  readonly start: number;
  readonly end: number;
  readonly strength: NameStrength;
  readonly text: string;
}

/** The judgement of a value, and the setting in which it was judged. */
interface JudgedValue {
  readonly key: string;
  readonly isPlausible: boolean;
}

/** Finds the values of names that say secret, in the syntaxes of configuration files, source code and shells. */
export class AssignmentFinder {
  readonly #text: string;
  readonly #budget: WorkBudget;
  readonly #next: NextOffsets;
  readonly #values: AssignedValues;
  readonly #look = new NameLook();
  readonly #judged = new Map<string, JudgedValue>();
  /** Names that have no secret. */
  readonly #rejected: RepeatedText;
  /** The text up to here has been looked at. */
  #done = 0;

  constructor(text: string, budget: WorkBudget) {
    this.#text = text;
    this.#budget = budget;
    this.#next = new NextOffsets(text);
    this.#values = new AssignedValues(text, this.#next);
    this.#look.begin(text);
    this.#rejected = new RepeatedText(text);
  }

  /** Finds the secret that is assigned to the name around `at`. */
  find(at: number): DetectedSpan | undefined {
    if (at < this.#done) return undefined;
    if (!this.#look.callsForLook(at)) {
      this.#budget.spend(COST.name);
      return undefined;
    }
    const { nameStart, nameEnd } = this.#look;
    if (this.#rejected.has(nameStart)) {
      this.#done = nameEnd;
      return undefined;
    }
    this.#budget.spend(COST.look);
    const name = this.#nameInView();
    const value = name && !beginsCookies(name.text, this.#text, name.end) ? this.#valueOf(name) : undefined;
    if (name !== undefined && value !== undefined && this.#isSecret(value, name.strength)) {
      this.#done = value.end;
      return { start: value.start, end: value.end, kind: kindOfName(name.text), rank: RANK.context };
    }
    this.#rejected.add(nameStart);
    return undefined;
  }

  /** Whether the name that was looked at last may be that of a column: a separator or a line break follows. */
  get mayBeColumn(): boolean {
    return /^"?[,;\t\r\n]/.test(this.#text.slice(this.#look.nameEnd, this.#look.nameEnd + 2));
  }

  /** Returns whether the name around `at` may have a secret, without a closer look. */
  mayFind(at: number): boolean {
    return at >= this.#done && this.#look.callsForLook(at);
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
    const strength = strengthOfNameIn(text, start, end);
    if (strength === undefined) return undefined;
    const name = text.slice(start, end);
    // A label of two words, such as "API key".
    const before = /^key$/i.test(name) ? LAST_WORD.exec(text.slice(Math.max(0, start - 20), start))?.[1] : undefined;
    const both = before === undefined ? undefined : strengthOfName(`${before} ${name}`);
    if (both !== undefined) return { start, end, strength: both, text: `${before} ${name}` };
    return { start, end, strength, text: name };
  }

  #valueOf(name: FoundName): FoundValue | undefined {
    const text = this.#text;
    const next = text.charCodeAt(name.end);
    const paired = next === EQUALS || next === COLON ? undefined : this.#valueOfPair(name);
    if (paired !== undefined) return paired;
    const valueFirst = next === EQUALS || next === COLON ? undefined : this.#valueBefore(name);
    if (valueFirst !== undefined) return valueFirst;
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
        if (!isQuoted && /[( ]/.test(text.charAt(name.start - 1)))
          return this.#lastArgument(name, skipSpaces(text, from));
        return isQuoted || /[{:]/.test(text.charAt(name.start - 1))
          ? this.#nextArgument(name, skipSpaces(text, from) + (text.startsWith('<<', skipSpaces(text, from)) ? 2 : 0))
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
    const value = this.#values.quoted(at, false);
    const isOneWord = /^[a-z]+$/.test(name.text) && !/[{-]/.test(this.#text.charAt(name.start - 1));
    return value && isOneWord && isPlainWord(this.#text.slice(value.start, value.end)) ? undefined : value;
  }

  /** The last argument of a call, after one that is named so: `strcpy(password, "…")`. */
  #lastArgument({ strength }: FoundName, from: number): FoundValue | undefined {
    const value = strength === 'weak' ? undefined : this.#values.quoted(from, false);
    return value && /^["']\)/.test(this.#text.slice(value.end, value.end + 2)) ? value : undefined;
  }

  /** The only argument of a call or initializer, as in `setPassword("…")` and `token{"…"}`. */
  #onlyArgument(from: number): FoundValue | undefined {
    const value = this.#values.quoted(from, false);
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
    const isDefault = separator.startsWith(':') && text.startsWith('${', name.start - 2);
    if (isDefault) return this.#values.unquoted(from + (text.charAt(from) === '-' ? 1 : 0), true, undefined, true);
    const isSetting = isQuoted || this.#startsLine(name.start) || this.#isWord(name, separator, from);
    const annotation = separator === ':' ? matchAt(TYPE_AND_EQUALS, text, from) : undefined;
    let at = from + (annotation?.[0].length ?? 0);
    at = skipSpaces(text, at);
    if (text.startsWith('**', at)) at = skipSpaces(text, at + 2);
    if (/[&!]/.test(text.charAt(at))) at += matchAt(ANCHOR_OR_TAG, text, at)?.[0].length ?? 0;
    const block = /[|>]/.test(text.charAt(at)) ? matchAt(BLOCK_SCALAR, text, at) : undefined;
    if (block !== undefined) return this.#values.blockScalar(at + block[0].length, isSetting);
    const quoted = this.#values.quotedNear(at, separator, isSetting) ?? this.#values.bracketed(at);
    if (quoted !== undefined || /^(?:!?==|!=|\|\||\?[?:])/.test(separator)) return quoted;
    const below = this.#values.afterMark(at, isSetting);
    if (below !== undefined) return below;
    if (text.charAt(at) === '[' && separator === ':' && isSetting) at = skipSpaces(text, at + 1);
    if (separator === '=' && this.#isDefinition(name, at)) return undefined;
    const field = separator === '=' ? this.#fieldAt(name.start) : undefined;
    const special =
      separator === ':'
        ? ((isSetting ? this.#values.onNextLine(at) : undefined) ?? this.#values.inFlow(name.start, at))
        : this.#values.inQuotesOf(name.start, at);
    if (special !== undefined) return special;
    return this.#values.unquoted(at, isSetting, field, /["'`]/.test(text.charAt(name.start - 1)));
  }

  /** A type (`type Token = X;`), or a constant whose number says nothing (`ER_NOT_VALID_PASSWORD = 1819;`). */
  #isDefinition({ start, text: name }: FoundName, at: number): boolean {
    if (/\btype[ \t]{1,4}$/.test(this.#text.slice(Math.max(0, start - 12), start))) return true;
    return /^[\w.]*[A-Z]$/.test(name) && matchAt(NUMBER_IN_CODE, this.#text, at) !== undefined;
  }

  /** The value of a pair such as `name: X` and `value: Y`, or `key="X" value="Y"`, or `<key>X</key><string>Y`. */
  #valueOfPair({ start, end }: FoundName): FoundValue | undefined {
    const text = this.#text;
    const defaultValue = matchAt(NEXT_DEFAULT, text, end);
    if (defaultValue !== undefined) return this.#values.quoted(end + defaultValue[0].length, true);
    const attribute = matchAt(NEXT_ATTRIBUTE, text, end) ?? matchAt(NEXT_MEMBER, text, end);
    if (attribute !== undefined && /[:=]\s{0,8}\\{0,8}["']?$/.test(text.slice(Math.max(0, start - 16), start))) {
      const at = end + attribute[0].length;
      return this.#values.quoted(at, true) ?? this.#values.unquoted(at, true);
    }
    const option = matchAt(NEXT_OPTION, text, end);
    if (option !== undefined) {
      const at = end + option[0].length;
      return this.#values.quoted(at, true) ?? this.#values.unquoted(at, true);
    }
    const other = matchAt(NEXT_QUOTED, text, end);
    if (other !== undefined) return this.#values.quoted(end + other[0].length, true);
    const element = matchAt(NEXT_ELEMENT, text, end);
    if (element === undefined) return undefined;
    const at = end + element[0].length;
    return { start: at, end: trimmedEnd(text, at, this.#next.of('<', at)), quoted: true, isSetting: true };
  }

  /** The value of a pair that comes before its name: `value: Y, name: X`, `value="Y" key="X"`. */
  #valueBefore({ start }: FoundName): FoundValue | undefined {
    const lead = this.#before(start, 320);
    const found = /(?:ame|[Kk]ey|id)/.test(lead.slice(-12)) ? VALUE_BEFORE.exec(lead)?.indices : undefined;
    const span = found?.[1] ?? found?.[2];
    if (span === undefined) return undefined;
    const from = start - lead.length;
    return { start: from + span[0], end: from + span[1], quoted: true, isSetting: true };
  }

  /** Flags, netrc, SQL, `ENV NAME value` and `setenv NAME value` have nothing but space between name and value. */
  #valueAfterSpace(name: FoundName, at: number): FoundValue | undefined {
    const text = this.#text;
    if (at === name.end || text.charAt(at - 1) > ' ') return undefined;
    const typed = matchAt(TYPE_AFTER_SPACE, text, at);
    if (typed !== undefined && /\s/.test(text.charAt(name.end))) return this.#values.quoted(at + typed[0].length, true);
    const verb = matchAt(VERB, text, at);
    if (verb !== undefined)
      return this.#values.quoted(at + verb[0].length, false) ?? this.#values.unquoted(at + verb[0].length, false);
    const before = text.slice(Math.max(0, name.start - 64), name.start);
    const isFlag = before.endsWith('-');
    const isDeclared = DECLARES.test(before);
    const quoted = this.#values.quoted(at, isDeclared);
    if (quoted !== undefined) {
      const isListed = /[(,]\s{0,8}$/.test(before) && /^[A-Z]+$/.test(name.text);
      // Cookies are found one by one.
      const isCookie = /^[\w.-]{1,64}=/.test(text.slice(quoted.start, quoted.start + 80));
      return isDeclared ||
        (isFlag && !isCookie) ||
        isListed ||
        name.strength === 'password' ||
        !/^[a-z]+$/i.test(name.text)
        ? quoted
        : undefined;
    }
    const isLine = this.#startsLine(name.start);
    const followsLogin = /login\s+\S{1,40}\s+$/.test(before);
    const value = this.#values.unquoted(at, true);
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
    // An address with a part to fill in: `<user>:<password>@host`.
    if (text.charAt(at) === '@') return undefined;
    const end = data ? this.#next.of(']', at) : this.#next.of('<', at);
    return { start: at, end: trimmedEnd(text, at, end), quoted: true, isSetting: true };
  }

  /** Returns whether `NAME=value` is a word of its own, as before a command, or `'Name: value'` one in quotes. */
  #isWord({ start, end }: FoundName, separator: string, from: number): boolean {
    if (from !== end + 1) return false;
    const before = this.#text.charAt(start - 1);
    if (separator === '=') return /^$|[\s"'=-]/.test(before) || this.#isJoined(start);
    return /["']/.test(before) || (/[ [{]/.test(before) && PRINTED_MAP.test(this.#before(start, 200)));
  }

  /** Matches the value of a field, if a field of a query, a form or a connection string begins there. */
  #fieldAt(start: number): RegExp | undefined {
    const before = this.#text.charAt(start - 1);
    if (before === ';') return this.#text.startsWith('&amp;', start - 5) ? UP_TO_FIELD_END : UP_TO_CONNECTION_END;
    return before === '?' || before === '&' ? UP_TO_FIELD_END : undefined;
  }

  /** Returns whether a field of a connection string precedes, with a comma and no space between. */
  #isJoined(start: number): boolean {
    return /[\w.\]]:?[^\s,()]*,$/.test(this.#before(start, 80));
  }

  #before(start: number, length: number): string {
    return this.#text.slice(Math.max(0, start - length), start);
  }

  /** Returns whether a line begins with the name, apart from keywords, list marks, comments and line numbers. */
  #startsLine(start: number): boolean {
    const before = this.#text.slice(Math.max(0, start - 80), start);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    if (line.length === before.length && start > 80) return false;
    return LINE_START.test(line);
  }
}

/** How much of a value is judged, and how many judgements are kept. */
const MAX_JUDGED = 128;
const MAX_JUDGEMENTS = 256;
/** Words that are not made a password by digits and symbols. */
function isPlainWord(value: string): boolean {
  return isWordy(value) && !/\d.*[!#$%^&*?+~]|[!#$%^&*?+~].*\d/.test(value);
}

/** The beginning of a map as Go prints it. */
const PRINTED_MAP = /\bmap\[[^\]\n]*$/;

/** A detector of its own finds the credentials after these. */
const SCHEMES = /^(?:bearer|basic)(?:%20|[+\s])/i;
