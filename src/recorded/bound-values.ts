import { decodeString, encodeString, skipSpace } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { type BoundPlace, forEachBoundPlace } from './bound-places.ts';

/**
 * What one side made up and the other sends back, as it was recorded and as it is now: cursors, task ids, request states,
 * progress tokens, ids of subscriptions and elicitations, URIs, ids among a tool's own data.
 *
 * A value is bound by where it came from: two messages that stand for each other name it at the same place. Wherever the
 * recorded one is met again in a message on its way, the live one takes its place, and the other way round. Everything
 * else of a text stays as it is. The `id` of messages is not among these: whoever sends them numbers them.
 */
export class BoundValues {
  readonly #live = new ValueBindings();
  readonly #recorded = new ValueBindings();
  readonly #mayBind: (recorded: string) => boolean;

  /** `mayBind` says which values of a recording are worth it, apart from those that the protocol itself names. */
  constructor(mayBind: (recorded: string) => boolean = () => true) {
    this.#mayBind = mayBind;
  }

  /**
   * Learns from two messages that stand for each other, such as a recorded answer and the one that came now. `method` is
   * the one that they are about: a cursor of one list is none of another.
   */
  learn(recorded: JsonText, live: JsonText, method = ''): void {
    if (recorded === live) return;
    this.#learn(recorded, live, method, 'message', 0);
  }

  /** The recorded message as it has to be now. */
  toLive(text: JsonText, method = ''): JsonText {
    return this.#live.rewrite(text, method);
  }

  /** The live message as it would have been recorded. */
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

/** What a literal says. */
function inWords(literal: JsonText): string {
  return literal.startsWith('"') ? decodeString(literal) : literal;
}

/** JSON within a text within a text is looked into so far. */
const DEEPEST = 3;

/** With its quotes, so long is the literal of a name that is no mere number of something. */
const MIN_NAME = 6;

/** So many of the newest values are looked for within longer texts. */
const MAX_PARTS = 1000;

/** Which value takes the place of which, one way. */
class ValueBindings {
  readonly #byScope = new Map<string, JsonText>();
  /** Values that cannot be met by chance, so that they are replaced even within other texts. */
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

/** Where a value means the same. A short one or a number is the name of one thing here and of another there. */
function scopeOf({ kind, name }: BoundPlace, value: JsonText, method: string): string | undefined {
  if (kind === 'cursor') return `cursor ${method}`;
  const isShort = !value.startsWith('"') || value.length < MIN_NAME;
  return kind === 'member' && isShort ? `member ${name}` : kind;
}

/** One spelling for a string, however it was escaped. */
function plain(literal: JsonText): JsonText {
  return literal.includes('\\') ? encodeString(decodeString(literal)) : literal;
}

/** The literal with bound values replaced that stand in it for themselves. */
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
    // Of two that begin at one place the longer one comes first, and is meant.
    if (start >= 0 && (first === undefined || start < first.start)) first = { start, end: start + from.length, to };
  }
  return first;
}

const WORD = /[\p{L}\p{N}_-]/u;

function standsAlone(value: string, start: number, end: number): boolean {
  return !WORD.test(value.charAt(start - 1)) && !WORD.test(value.charAt(end));
}

/** The string as it stands between the quotes of its literal. */
function inner(value: string): string {
  return encodeString(value).slice(1, -1);
}

/** Whether a text can be nothing but itself: long, in one word, and made up rather than written. */
function isUnmistakable(value: string): boolean {
  return (
    value.length >= 8 && !/\s/.test(value) && (/\d/.test(value) || value.includes('://')) && !/^[\d.:+-]+$/.test(value)
  );
}

/** The path of a `file:` URI, by which tools name the same place. */
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
