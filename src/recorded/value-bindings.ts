import { decodeString, encodeString } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { type BoundPlace, visitPlaces } from './bound-places.ts';
import { isWhole, runsIn, textOf } from './words.ts';

/** A message with its values replaced. */
export interface RewrittenText {
  readonly text: JsonText;
  /** A value in the message whose replacement is uncertain. */
  readonly unclear: string | undefined;
}

/** Literals shorter than this, quotes included, are bound per member name, because they may be mere counters. */
const MIN_NAME = 6;

/**
 * The scope in which a value has one meaning; `undefined` if its member does not look like an identifier. Short values
 * and numbers may mean different things under other member names.
 */
export function scopeOf(
  { kind, name }: Pick<BoundPlace, 'kind' | 'name'>,
  value: JsonText,
  method: string,
): string | undefined {
  if (kind === 'cursor') return `cursor ${method}`;
  return kind === 'member' && isShort(value) ? `member ${name}` : kind;
}

/** Whether a value may occur with another meaning by chance. */
export function isShort(value: JsonText): boolean {
  return !value.startsWith('"') || value.length < MIN_NAME;
}

/**
 * Member names of numbers that measure something. A number under another name may identify an object.
 */
const AMOUNTS =
  /^(?:[a-z]|num|limit|offset|page|pages|count|size|max|min|top|depth|level|lines?|from|to|start|end|index|width|height|length|timeout|delay|duration|ms|seconds?|minutes?|hours?|days?|weeks?|months?|years?|priority|amount|quantity|price|total|sum|position|version|temperature|seed|radius|scale|ratio|percent|zoom|lat|lon|lng)$|^(?:max|min|num)(?:_|[A-Z])|(?:_|[a-z])(?:limit|count|size|offset|page|length|timeout|ms|seconds|minutes|hours|days)$|(?:Limit|Count|Size|Offset|Page|Length|Timeout|Ms|Seconds|Minutes|Hours|Days|Amount|Quantity|Price|Total)$/;

/** Whether a value is a number that measures something, judged by the name of its member. */
export function isAmount(name: string, value: JsonText): boolean {
  return !value.startsWith('"') && AMOUNTS.test(name);
}

/** Value replacements in one direction. The replacement of an unclear value is `undefined`. */
export class ValueBindings {
  readonly #byScope = new Map<string, JsonText | undefined>();
  /** For short values: the replacement under each member name. */
  readonly #names = new Map<string, Map<string, JsonText | undefined>>();
  /** Values with a replacement, by their text; `undefined` if that is unclear. */
  readonly #changed = new Map<string, string | undefined>();
  readonly #isStrict: boolean;
  /** Words of texts, which the other side may send back as a whole value. */
  readonly #words = new Map<string, string | undefined>();
  /** Values too distinctive to occur by chance, which are replaced even inside longer strings, by their first word. */
  readonly #parts = new Map<string, Map<string, TextPart>>();

  /** If strict, a value that has a replacement somewhere is unclear in each place where that may not be meant. */
  constructor({ isStrict }: { readonly isStrict: boolean }) {
    this.#isStrict = isStrict;
  }

  get(scope: string, from: JsonText): JsonText | undefined {
    return this.#byScope.get(`${scope} ${from}`);
  }

  add(scope: string, from: JsonText, to: JsonText | undefined): void {
    this.#byScope.set(`${scope} ${from}`, to);
    if (!scope.startsWith('member')) return;
    this.#change(textOf(from), to === undefined ? undefined : textOf(to));
    if (!scope.startsWith('member ')) return;
    const names = this.#names.get(textOf(from)) ?? new Map<string, JsonText | undefined>();
    this.#names.set(textOf(from), names.set(scope.slice('member '.length), to));
  }

  wordFor(from: string): string | undefined {
    return this.#words.get(from);
  }

  addWord(from: string, to: string | undefined): void {
    this.#words.set(from, to);
    this.#change(from, to);
  }

  #change(from: string, to: string | undefined): void {
    this.#changed.set(from, !this.#changed.has(from) || this.#changed.get(from) === to ? to : undefined);
    if (this.#isStrict) this.#addPart(from, { to: undefined, isCertain: false });
  }

  addPart(from: string, to: string | undefined): void {
    this.#addPart(from, { to, isCertain: true });
  }

  #addPart(from: string, part: TextPart): void {
    const [first] = runsIn(from);
    if (first === undefined) return;
    const { word } = first;
    const parts = this.#parts.get(word) ?? new Map<string, TextPart>();
    if (part.isCertain || !parts.has(from)) this.#parts.set(word, parts.set(from, part));
  }

  rewrite(text: JsonText, method: string): RewrittenText {
    if (this.#byScope.size === 0 && this.#parts.size === 0 && this.#words.size === 0) {
      return { text, unclear: undefined };
    }
    let written = '';
    let from = 0;
    let unclear: string | undefined;
    visitPlaces(text, {
      value: (place) => {
        const was = text.slice(place.start, place.end);
        const is = this.#replacement(plain(was), place, method);
        if (is === undefined) unclear ??= textOf(was);
        else if (is !== plain(was)) {
          written += text.slice(from, place.start) + is;
          from = place.end;
        }
      },
      key: (name) => {
        if (this.#isStrict && /\d/.test(name) && this.#withParts('', name) !== '') unclear ??= name;
      },
    });
    return { text: from === 0 ? text : written + text.slice(from), unclear };
  }

  /** The value to write instead of another; `undefined` if that is unclear. */
  #replacement(was: JsonText, place: BoundPlace, method: string): JsonText | undefined {
    const scope = scopeOf(place, was, method);
    const key = `${scope} ${was}`;
    if (scope !== undefined && this.#byScope.has(key)) return this.#byScope.get(key);
    const related = this.#related(was, place);
    if (related !== undefined) return related.to;
    const value = textOf(was);
    if (this.#words.has(value) && (place.kind === 'member' || isNameLike(value))) {
      return asLiteral(this.#words.get(value), was);
    }
    if (this.#isStrict && this.#changed.has(value) && !isAmount(place.name, was)) {
      return isNameLike(value) && /\d/.test(value) ? asLiteral(this.#changed.get(value), was) : undefined;
    }
    return was.startsWith('"') && this.#parts.size > 0 ? this.#withParts(was, value) : was;
  }

  /** A short value that was learned as `id` may be sent back as `noteId` or as a string, and the reverse. */
  #related(was: JsonText, { kind, name }: BoundPlace): { readonly to: JsonText | undefined } | undefined {
    const names = kind === 'member' ? this.#names.get(textOf(was)) : undefined;
    const related = [...(names ?? [])].filter(([other]) => areRelated(name, other));
    const [first] = related;
    if (first === undefined) return undefined;
    const isOne = related.every(([, to]) => to === first[1]);
    return { to: isOne && first[1] !== undefined ? asLiteral(textOf(first[1]), was) : undefined };
  }

  /** The literal with every bound value in it replaced, where it is a whole word; `undefined` if one is unclear. */
  #withParts(literal: JsonText, value: string): JsonText | undefined {
    let written = '';
    let at = 0;
    for (const { word, index } of runsIn(value)) {
      const part = index < at ? undefined : this.#partAt(value, index, at, word);
      if (part === undefined) continue;
      if (part.to === undefined) return undefined;
      written += value.slice(at, part.start) + part.to;
      at = part.end;
    }
    return at === 0 ? literal : encodeString(written + value.slice(at));
  }

  /** The longest bound value whose first word is here. */
  #partAt(value: string, index: number, begin: number, word: string): FoundPart | undefined {
    let longest: FoundPart | undefined;
    for (const [from, { to, isCertain }] of this.#parts.get(word) ?? []) {
      const start = index - from.indexOf(word);
      const end = start + from.length;
      if (start < begin || end <= (longest?.end ?? 0) || !value.startsWith(from, start)) continue;
      if (isWhole(value, start, end) && (isCertain || mayBeMeant(value, start, end))) longest = { start, end, to };
    }
    return longest;
  }
}

/** A value that may occur within longer strings. If that is not certain, its replacement is unclear there. */
interface TextPart {
  readonly to: string | undefined;
  readonly isCertain: boolean;
}

interface FoundPart {
  readonly start: number;
  readonly end: number;
  readonly to: string | undefined;
}

/** Numbers with at least this many digits hardly occur in a sentence by chance. */
const MIN_NUMBER = 4;

/** Whether a part of a text may be meant as an identifier, rather than as a word or number of a sentence. */
function mayBeMeant(text: string, start: number, end: number): boolean {
  const part = text.slice(start, end);
  if (!/\d/.test(part)) return false;
  if (isNameLike(part) || part.length >= MIN_NUMBER) return true;
  // A whole segment of a path or an address.
  return !/\s/.test(text) && /[/#=:]/.test(text.charAt(start - 1)) && /^[/?#&;]?$/.test(text.charAt(end));
}

/** Whether a word of a text can hardly be a mere number. */
function isNameLike(word: string): boolean {
  return /\p{L}/u.test(word);
}

function areRelated(a: string, b: string): boolean {
  const [shorter, longer] = [a, b]
    .map((name) => name.replace(/s$/, '').toLowerCase())
    .sort((x, y) => x.length - y.length);
  return longer?.endsWith(shorter ?? '') === true;
}

/** A word as a literal of the same type as another, if it can be. */
function asLiteral(word: string | undefined, like: JsonText): JsonText | undefined {
  if (word === undefined) return undefined;
  return !like.startsWith('"') && /^-?(?:0|[1-9]\d*)$/.test(word) ? word : encodeString(word);
}

/** One spelling for equal strings that are escaped differently. */
function plain(literal: JsonText): JsonText {
  return literal.includes('\\') ? encodeString(decodeString(literal)) : literal;
}
