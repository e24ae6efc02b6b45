import { writeStep } from '../../json/json-path.ts';
import {
  decodeString,
  documentSpan,
  type JsonMember,
  scanElements,
  scanMembers,
  type TextSpan,
} from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { isFrameField } from './frame-fields.ts';

/**
 * The kind of a value in a capture, if it needs special treatment:
 * - `record`: one of many records in a document. It is processed separately to limit memory use.
 * - `message`: a JSON-RPC message, whose own fields stay.
 * - `line`: a line that a program printed, as the `raw` of an event.
 * - `text`: such a line as a bare string.
 * - `body`: a string that contains messages, as JSON or as an event stream.
 * - `base64`: such a body in base64.
 * - `command`, `command-line`: a command, as an array of words or as one string.
 * - `cookie`, `query`: the value of a cookie or of a query or form parameter, which an HTTP archive lists by name.
 * - `link`: an id that links messages. It stays.
 * - `frame`: a time, a direction or another field of the recording itself. It stays.
 */
export type PartKind =
  | 'record'
  | 'message'
  | 'line'
  | 'text'
  | 'body'
  | 'base64'
  | 'command'
  | 'command-line'
  | 'cookie'
  | 'query'
  | 'link'
  | 'frame';

export interface CapturePart extends TextSpan {
  readonly kind: PartKind;
  readonly place: PartPlace;
  /** The name of a line's event or of a query's parameter. */
  readonly name?: string | undefined;
}

/** The path to a value, as a linked list from the inside out. */
export interface PartPlace {
  readonly outer: PartPlace | undefined;
  readonly step: string | number | undefined;
}

/** Captures contain messages at most this deep. Each level is scanned once more. */
const DEEPEST = 10;

/** The keys of record lists in documents. */
const RECORDS = new Set<string | number | undefined>(['messages', 'events', 'entries', 'interactions', undefined]);
const BODIES = new Set(['text', 'requestBody', 'responseBody', 'body', 'data']);
const COMMANDS = new Set(['command', 'args', 'argv']);
/** Lists of names and values. */
const LISTS: Readonly<Record<string, PartKind>> = { cookies: 'cookie', queryString: 'query', params: 'query' };
const LINKS = new Set(['proxy_id', 'correlated_id', 'jsonrpc_id']);
const LINKS_OF_LINES = new Set(['id', 'corr']);
const KEYS = new Set([...BODIES, ...COMMANDS, ...LINKS, ...LINKS_OF_LINES, 'server_command', 'raw', 'value']);

/**
 * Finds the parts of a text that need special treatment, in order and without overlap. Returns `undefined` if the text is
 * not JSON.
 */
export function partsOf(text: JsonText): readonly CapturePart[] | undefined {
  const document = documentSpan(text);
  if (document === undefined) return undefined;
  const parts: CapturePart[] = [];
  new PartFinder(text, parts).visit(document, { outer: undefined, step: undefined }, 0);
  return parts;
}

/** Formats a place as a JSONPath. */
export function pathOf(place: PartPlace): string {
  const steps: string[] = [];
  for (let at: PartPlace | undefined = place; at !== undefined; at = at.outer) {
    if (at.step !== undefined) steps.push(writeStep(at.step));
  }
  return `$${steps.reverse().join('')}`;
}

class PartFinder {
  readonly #text: JsonText;
  readonly #parts: CapturePart[];

  constructor(text: JsonText, parts: CapturePart[]) {
    this.#text = text;
    this.#parts = parts;
  }

  visit(span: TextSpan, place: PartPlace, depth: number): void {
    if (depth > DEEPEST) return;
    const first = this.#text.charAt(span.start);
    if (first === '{') this.#object(span, place, depth);
    if (first !== '[') return;
    let index = 0;
    const holdsRecords = depth < 3 && RECORDS.has(place.step);
    scanElements(this.#text, span.start, (element) => {
      const below = { outer: place, step: index++ };
      if (holdsRecords && this.#text.charAt(element.start) === '{') {
        this.#parts.push({ ...element, kind: 'record', place: below });
      } else {
        this.visit(element, below, depth + 1);
      }
    });
  }

  #object(span: TextSpan, place: PartPlace, depth: number): void {
    const members: JsonMember[] = [];
    scanMembers(this.#text, span.start, (member) => members.push(member));
    if (members.some(({ key }) => key === 'jsonrpc')) {
      this.#parts.push({ ...span, kind: 'message', place });
      return;
    }
    const textOf: TextOf = (name) => {
      const member = members.findLast(({ key }) => key === name);
      return member && this.#text.slice(member.start, member.end);
    };
    const isFrame = members.some(({ key }) => FRAME_MARKS.has(key));
    for (const { key, start, end } of members) {
      const first = this.#text.charAt(start);
      const kind =
        (KEYS.has(key) ? kindOf(key, first, textOf, place.outer?.step) : undefined) ??
        (isFrame && isFrameField(key, this.#text, start, end) ? 'frame' : undefined);
      if (kind !== undefined) {
        const name = kind === 'line' ? eventIn(textOf) : nameIn(textOf);
        this.#parts.push({ start, end, kind, place: { outer: place, step: key }, name });
      } else if (first === '{' || first === '[') {
        this.visit({ start, end }, { outer: place, step: key }, depth + 1);
      }
    }
  }
}

/** Members that only the records of a recording and its header have. */
const FRAME_MARKS = new Set(
  `dir direction producer proxy_id raw messages entries startedAt started_at startedDateTime exitCode timestamp_ms`.split(
    ' ',
  ),
);
/** Returns the text of another member of the same object. */
type TextOf = (key: string) => JsonText | undefined;

function kindOf(key: string, first: string, textOf: TextOf, list: PartPlace['step']): PartKind | undefined {
  if (first === '"' && key === 'value' && typeof list === 'string' && Object.hasOwn(LISTS, list)) return LISTS[list];
  if (first === '"') return kindOfString(key, textOf);
  if (first === '{' && key === 'raw' && eventIn(textOf) !== undefined) return 'line';
  return first === '[' && COMMANDS.has(key) ? 'command' : undefined;
}

function kindOfString(key: string, textOf: TextOf): PartKind | undefined {
  if (LINKS.has(key)) return 'link';
  if (LINKS_OF_LINES.has(key)) return textOf('raw') !== undefined && textOf('dir') !== undefined ? 'link' : undefined;
  if (key === 'server_command') return 'command-line';
  if (key === 'text' && textOf('encoding') === '"base64"') return 'base64';
  if (key === 'text' && textOf('direction') === '"stderr"') return 'text';
  return BODIES.has(key) && textOf(key)?.includes('jsonrpc') ? 'body' : undefined;
}

/** Returns the event's kind if it is a line that a program printed. */
function eventIn(textOf: TextOf): string | undefined {
  const kind = textOf('kind');
  return kind === '"stdio.stderr"' || kind === '"stdio.noise"' ? kind.slice(1, -1) : undefined;
}

function nameIn(textOf: TextOf): string | undefined {
  const name = textOf('name');
  return name?.startsWith('"') ? decodeString(name) : undefined;
}
