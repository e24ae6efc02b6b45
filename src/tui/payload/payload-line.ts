import { decodeString, documentSpan, scanString, scanValue, skipSpace } from '../../json/scan.ts';
import type { Style } from '../view/styled-row.ts';

/** A span of a source text, shown unchanged. */
export interface TextStretch {
  readonly source: string;
  readonly start: number;
  readonly end: number;
  readonly style: Style;
}

/** One line of a laid-out payload, of any length. */
export interface PayloadLine {
  readonly depth: number;
  readonly stretches: readonly TextStretch[];
  /** Identifies the object or array that begins here, if it can be folded. */
  readonly fold: string | undefined;
  readonly isFolded: boolean;
}

/** JSON inside strings inside JSON is expanded to this depth. */
const DEEPEST_EMBEDDING = 4;

interface LinePlace {
  readonly text: string;
  readonly end: number;
  /** The prefix of fold names: the position of the string in its containing text. */
  readonly prefix: string;
  at: number;
  /** One entry per open container; `true` for an object. */
  readonly open: boolean[];
  expectsKey: boolean;
}

/**
 * Lays out a JSON text line by line, on demand, and expands strings that contain JSON. Other text is split into its
 * lines. It does not recurse, so depth is limited only by memory.
 */
export function* payloadLines(text: string, isFolded: (fold: string) => boolean): Generator<PayloadLine> {
  const document = documentSpan(text);
  if (document === undefined) {
    yield* plainLines(text);
    return;
  }
  yield* new LineLayout(text, document.start, document.end, isFolded).lines();
}

function* plainLines(text: string): Generator<PayloadLine> {
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    yield { depth: 0, stretches: [{ source: text, start, end, style: 'plain' }], fold: undefined, isFolded: false };
    start = end + 1;
  }
}

class LineLayout {
  readonly #isFolded: (fold: string) => boolean;
  readonly #places: LinePlace[];
  #stretches: TextStretch[] = [];
  #depth = 0;
  #fold: string | undefined;
  #lineIsFolded = false;

  constructor(text: string, start: number, end: number, isFolded: (fold: string) => boolean) {
    this.#isFolded = isFolded;
    this.#places = [{ text, at: start, end, prefix: '', open: [], expectsKey: false }];
  }

  *lines(): Generator<PayloadLine> {
    for (let place = this.#places.at(-1); place !== undefined; place = this.#places.at(-1)) {
      const at = skipSpace(place.text, place.at);
      place.at = at;
      if (at >= place.end) {
        this.#places.pop();
        continue;
      }
      const c = place.text.charAt(at);
      if (c === '{' || c === '[') {
        if (this.#open(place, c === '{')) yield this.#line(1);
      } else if (c === '}' || c === ']') {
        yield this.#line(-1);
        this.#put(place, at, at + 1, 'plain');
        place.open.pop();
        place.expectsKey = false;
      } else if (c === ',') {
        this.#put(place, at, at + 1, 'plain');
        place.expectsKey = place.open.at(-1) === true;
        yield this.#line(0);
      } else if (c === ':') {
        this.#put(place, at, at + 1, 'plain');
        this.#say(' ', 'plain');
        place.expectsKey = false;
      } else if (c === '"') this.#string(place);
      else this.#put(place, at, scanValue(place.text, at), 'number');
    }
    if (this.#stretches.length > 0) yield this.#line(0);
  }

  /** Opens a container; returns whether the line ends here, because its content is shown below. */
  #open(place: LinePlace, isObject: boolean): boolean {
    const { text, at } = place;
    const inside = skipSpace(text, at + 1);
    if (text.charAt(inside) === (isObject ? '}' : ']')) {
      this.#put(place, at, at + 1, 'plain');
      place.at = inside;
      this.#put(place, inside, inside + 1, 'plain');
      return false;
    }
    const fold = `${place.prefix}${at}`;
    this.#fold ??= fold;
    if (this.#isFolded(fold)) {
      this.#lineIsFolded = true;
      const end = scanValue(text, at);
      this.#put(place, at, at + 1, 'plain');
      this.#say(` … ${end - at} characters `, 'dim');
      this.#put(place, end - 1, end, 'plain');
      return false;
    }
    this.#put(place, at, at + 1, 'plain');
    place.open.push(isObject);
    place.expectsKey = isObject;
    return true;
  }

  #string(place: LinePlace): void {
    const { text, at } = place;
    const end = scanString(text, at);
    if (place.expectsKey) {
      this.#put(place, at, end, 'key');
      return;
    }
    const embedded = this.#places.length > DEEPEST_EMBEDDING ? undefined : embeddedJson(text, at, end);
    if (embedded === undefined) {
      this.#put(place, at, end, 'string');
      return;
    }
    place.at = end;
    this.#say('json in a string ', 'dim');
    this.#places.push({
      text: embedded.text,
      at: embedded.start,
      end: embedded.end,
      prefix: `${place.prefix}${at}/`,
      open: [],
      expectsKey: false,
    });
  }

  #put(place: LinePlace, start: number, end: number, style: Style): void {
    this.#stretches.push({ source: place.text, start, end, style });
    place.at = end;
  }

  #say(text: string, style: Style): void {
    this.#stretches.push({ source: text, start: 0, end: text.length, style });
  }

  /** Ends a line; `deeper` is the change of depth for the next one. */
  #line(deeper: -1 | 0 | 1): PayloadLine {
    const line = {
      depth: this.#depth,
      stretches: this.#stretches,
      fold: this.#fold,
      isFolded: this.#lineIsFolded,
    };
    this.#depth += deeper;
    this.#stretches = [];
    this.#fold = undefined;
    this.#lineIsFolded = false;
    return line;
  }
}

/** The object or array that a string literal contains as text. */
function embeddedJson(
  text: string,
  at: number,
  end: number,
): { readonly text: string; readonly start: number; readonly end: number } | undefined {
  const first = text.charAt(at + 1);
  if (first !== '{' && first !== '[' && first !== '\\' && first !== ' ') return undefined;
  const decoded = decodeString(text.slice(at, end));
  const start = skipSpace(decoded, 0);
  const opening = decoded.charAt(start);
  if (opening !== '{' && opening !== '[') return undefined;
  const span = documentSpan(decoded);
  return span && { text: decoded, ...span };
}
