import { decodeString, encodeString, skipSpace } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { type BoundPlace, forEachBoundPlace } from './bound-places.ts';

/**
 * Maps generated values between a recording and a live session: cursors, task ids, request states, progress tokens,
 * subscription and elicitation ids, URIs, and ids in tool data.
 *
 * A pair of values is learned from two corresponding messages that have them at the same path. In later messages, the
 * recorded value is replaced by the live one, or the reverse. The rest of a text is unchanged. Message `id`s are not
 * mapped, because each sender assigns its own.
 */
export class BoundValues {
  readonly #live = new ValueBindings();
  readonly #recorded = new ValueBindings();
  readonly #mayBind: (recorded: string) => boolean;

  /** `mayBind` says which recorded values to map, apart from those that the protocol itself identifies. */
  constructor(mayBind: (recorded: string) => boolean = () => true) {
    this.#mayBind = mayBind;
  }

  /**
   * Learns from two corresponding messages, such as a recorded and a live response. `method` is the request's method,
   * because a cursor of one list is not valid for another.
   */
  learn(recorded: JsonText, live: JsonText, method = ''): void {
    if (recorded === live) return;
    this.#learn(recorded, live, method, 'message', 0);
  }

  /** The recorded message with live values. */
  toLive(text: JsonText, method = ''): JsonText {
    return this.#live.rewrite(text, method);
  }

  /** The live message with recorded values. */
  toRecorded(text: JsonText, method = ''): JsonText {
    return this.#recorded.rewrite(text, method);
  }

  #learn(recorded: JsonText, live: JsonText, method: string, begin: 'message' | 'data', depth: number): void {
    const known = new Map<string, JsonText>();
    forEachBoundPlace(live, ({ path, start, end }) => known.set(path, live.slice(start, end)), begin);
    const learn = (place: BoundPlace): void => {
      const [was, is] = [recorded.slice(place.start, place.end), known.get(place.path)];
      if (is === undefined || is === was || is.startsWith('"') !== was.startsWith('"')) return;
      if (!was.startsWith('"')) {
        this.#bind(scopeOf(place, was, method), was, is);
        return;
      }
      const [wasText, isText] = [decodeString(was), decodeString(is)];
      if (depth < DEEPEST && mayBeJson(wasText) && mayBeJson(isText)) {
        this.#learn(wasText, isText, method, 'data', depth + 1);
      } else this.#learnString(scopeOf(place, was, method), wasText, isText);
    };
    forEachBoundPlace(recorded, learn, begin);
  }

  #learnString(scope: string | undefined, was: string, is: string): void {
    this.#bind(scope, encodeString(was), encodeString(is));
    if (isUnmistakable(was) && isUnmistakable(is)) this.#bindParts(was, is);
    const [wasPath, isPath] = [filePath(was), filePath(is)];
    if (wasPath !== undefined && isPath !== undefined) this.#bindParts(wasPath, isPath);
  }

  #bind(scope: string | undefined, recorded: JsonText, live: JsonText): void {
    if (scope === undefined || (scope.startsWith('member') && !this.#mayBind(inWords(recorded)))) return;
    this.#live.add(scope, recorded, live);
    this.#recorded.add(scope, live, recorded);
  }

  #bindParts(recorded: string, live: string): void {
    if (!this.#mayBind(recorded)) return;
    this.#live.addPart(recorded, live);
    this.#recorded.addPart(live, recorded);
  }
}

/** The value of a literal as text. */
function inWords(literal: JsonText): string {
  return literal.startsWith('"') ? decodeString(literal) : literal;
}

/** JSON embedded in strings is searched to this depth. */
const DEEPEST = 3;

/** Literals shorter than this, quotes included, are bound per member name, because they may be mere counters. */
const MIN_NAME = 6;

/** At most this many values, the newest, are replaced inside longer strings. */
const MAX_PARTS = 1000;

/** Value replacements in one direction. */
class ValueBindings {
  readonly #byScope = new Map<string, JsonText>();
  /** Values too distinctive to occur by chance, which are replaced even inside longer strings. */
  readonly #parts = new Map<string, string>();

  add(scope: string, from: JsonText, to: JsonText): void {
    this.#byScope.set(`${scope} ${from}`, to);
  }

  addPart(from: string, to: string): void {
    this.#parts.delete(from);
    this.#parts.set(from, to);
    const [oldest] = this.#parts.size > MAX_PARTS ? this.#parts.keys() : [];
    if (oldest !== undefined) this.#parts.delete(oldest);
  }

  rewrite(text: JsonText, method: string): JsonText {
    if (this.#byScope.size === 0 && this.#parts.size === 0) return text;
    const parts = [...this.#parts].filter(([from]) => text.includes(inner(from)));
    parts.sort(([a], [b]) => b.length - a.length);
    let written = '';
    let from = 0;
    forEachBoundPlace(text, (place) => {
      const was = text.slice(place.start, place.end);
      const scope = scopeOf(place, was, method);
      const bound = scope === undefined ? undefined : this.#byScope.get(`${scope} ${plain(was)}`);
      const is = bound ?? withParts(was, parts);
      if (is === was) return;
      written += text.slice(from, place.start) + is;
      from = place.end;
    });
    return from === 0 ? text : written + text.slice(from);
  }
}

/**
 * The scope in which a value has one meaning. Short values and numbers may mean different things under other member
 * names.
 */
function scopeOf({ kind, name }: BoundPlace, value: JsonText, method: string): string | undefined {
  if (kind === 'cursor') return `cursor ${method}`;
  const isShort = !value.startsWith('"') || value.length < MIN_NAME;
  return kind === 'member' && isShort ? `member ${name}` : kind;
}

/** One spelling for equal strings that are escaped differently. */
function plain(literal: JsonText): JsonText {
  return literal.includes('\\') ? encodeString(decodeString(literal)) : literal;
}

/** The literal with every bound value in it replaced, where it is a whole word. */
function withParts(literal: JsonText, parts: readonly (readonly [string, string])[]): JsonText {
  if (parts.length === 0 || !literal.startsWith('"')) return literal;
  const value = decodeString(literal);
  let written = '';
  let at = 0;
  while (at < value.length) {
    const next = firstPart(value, at, parts);
    if (next === undefined) break;
    written += value.slice(at, next.start) + next.to;
    at = next.end;
  }
  return at === 0 ? literal : encodeString(written + value.slice(at));
}

interface FoundPart {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

function firstPart(value: string, at: number, parts: readonly (readonly [string, string])[]): FoundPart | undefined {
  let first: FoundPart | undefined;
  for (const [from, to] of parts) {
    let start = value.indexOf(from, at);
    while (start >= 0 && !standsAlone(value, start, start + from.length)) start = value.indexOf(from, start + 1);
    // If two start at the same position, the longer one comes first and wins.
    if (start >= 0 && (first === undefined || start < first.start)) first = { start, end: start + from.length, to };
  }
  return first;
}

const WORD = /[\p{L}\p{N}_-]/u;

function standsAlone(value: string, start: number, end: number): boolean {
  return !WORD.test(value.charAt(start - 1)) && !WORD.test(value.charAt(end));
}

/** The string as written between the quotes of its literal. */
function inner(value: string): string {
  return encodeString(value).slice(1, -1);
}

/** Whether a value is distinctive: long, one word, and generated rather than written by a person. */
function isUnmistakable(value: string): boolean {
  return (
    value.length >= 8 && !/\s/.test(value) && (/\d/.test(value) || value.includes('://')) && !/^[\d.:+-]+$/.test(value)
  );
}

/** The path of a `file:` URI, since tools may refer to the same file by its path. */
function filePath(value: string): string | undefined {
  if (!value.startsWith('file://') || !URL.canParse(value)) return undefined;
  const path = decodedPath(new URL(value).pathname).replace(/\/$/, '');
  return path === '' ? undefined : path;
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function mayBeJson(value: string): boolean {
  return /[[{]/.test(value.charAt(skipSpace(value, 0)));
}
