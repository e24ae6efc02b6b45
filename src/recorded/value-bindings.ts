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

/** Value replacements in one direction. The replacement of an unclear value is `undefined`. */
export class ValueBindings {
  readonly #byScope = new Map<string, JsonText | undefined>();
  /** For short values: the member names that have a binding. */
  readonly #names = new Map<JsonText, Set<string>>();
  /** Words of texts, which the other side may send back as a whole value. */
  readonly #words = new Map<string, string | undefined>();
  /** Values too distinctive to occur by chance, which are replaced even inside longer strings, by their first word. */
  readonly #parts = new Map<string, Map<string, string | undefined>>();

  get(scope: string, from: JsonText): JsonText | undefined {
    return this.#byScope.get(`${scope} ${from}`);
  }

  add(scope: string, from: JsonText, to: JsonText | undefined): void {
    this.#byScope.set(`${scope} ${from}`, to);
    if (!scope.startsWith('member ')) return;
    const names = this.#names.get(from) ?? new Set();
    this.#names.set(from, names.add(scope.slice('member '.length)));
  }

  wordFor(from: string): string | undefined {
    return this.#words.get(from);
  }

  addWord(from: string, to: string | undefined): void {
    this.#words.set(from, to);
  }

  addPart(from: string, to: string | undefined): void {
    const [first] = runsIn(from);
    if (first === undefined) return;
    const { word } = first;
    const parts = this.#parts.get(word) ?? new Map<string, string | undefined>();
    this.#parts.set(word, parts.set(from, to));
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
    return was.startsWith('"') && this.#parts.size > 0 ? this.#withParts(was, value) : was;
  }

  /** A short value that was learned as `id` may be sent back as `noteId`, and the reverse. */
  #related(was: JsonText, { kind, name }: BoundPlace): { readonly to: JsonText | undefined } | undefined {
    const names = kind === 'member' && isShort(was) ? this.#names.get(was) : undefined;
    const related = [...(names ?? [])].filter((other) => areRelated(name, other));
    const [first] = related;
    if (first === undefined) return undefined;
    const to = this.#byScope.get(`member ${first} ${was}`);
    const isOne = related.every((other) => this.#byScope.get(`member ${other} ${was}`) === to);
    return { to: isOne ? to : undefined };
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
    for (const [from, to] of this.#parts.get(word) ?? []) {
      const start = index - from.indexOf(word);
      const end = start + from.length;
      if (start < begin || end <= (longest?.end ?? 0) || !value.startsWith(from, start)) continue;
      if (isWhole(value, start, end)) longest = { start, end, to };
    }
    return longest;
  }
}

interface FoundPart {
  readonly start: number;
  readonly end: number;
  readonly to: string | undefined;
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
