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
import { type MemberText, ownRecord, type PartKind, type RecordParts } from './record-parts.ts';

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
/** What an HTTP archive has of a session's header. */
const ARCHIVE_HEADER: ReadonlyMap<string, PartKind> = new Map([
  ['label', 'label'],
  ['url', 'url'],
]);
const LINKS = new Set(['proxy_id', 'correlated_id', 'jsonrpc_id']);
const LINKS_OF_LINES = new Set(['id', 'corr']);
const KEYS = new Set([...BODIES, ...COMMANDS, ...LINKS, ...LINKS_OF_LINES, 'server_command', 'raw', 'value']);
/** Members that only the records of a recording and its header have. */
const FRAME_MARKS = new Set(
  `dir direction producer creator proxy_id proxyId raw messages entries startedAt started_at startedDateTime exitCode
  timestamp_ms httpVersion`.split(/\s+/),
);

/**
 * Finds the parts of a text that need special treatment, in order and without overlap. Returns `undefined` if the text is
 * not JSON.
 *
 * @param isFirst Whether it is the first text of a capture, which may be the header of a trace.
 * @param own The members of the object, if its place tells what they are.
 */
export function partsOf(text: JsonText, isFirst = false, own?: RecordParts): readonly CapturePart[] | undefined {
  const document = documentSpan(text);
  if (document === undefined) return undefined;
  const parts: CapturePart[] = [];
  new PartFinder(text, parts, isFirst, own).visit(document, { outer: undefined, step: undefined }, 0);
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
  readonly #isFirst: boolean;
  readonly #own: RecordParts | undefined;

  constructor(text: JsonText, parts: CapturePart[], isFirst: boolean, own: RecordParts | undefined) {
    this.#text = text;
    this.#parts = parts;
    this.#isFirst = isFirst;
    this.#own = own;
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
    const members = new Map<string, TextSpan>();
    const all: JsonMember[] = [];
    scanMembers(this.#text, span.start, (member) => {
      all.push(member);
      members.set(member.key, member);
    });
    if (members.has('jsonrpc')) {
      this.#parts.push({ ...span, kind: 'message', place });
      return;
    }
    const textOf: MemberText = (key) => {
      const member = members.get(key);
      return member && this.#text.slice(member.start, member.end);
    };
    const own = depth > 0 ? undefined : (this.#own ?? ownRecord(textOf, this.#isFirst));
    const isStream = place.step === 'sse' && members.has('data');
    const isSession = depth === 0 && members.has('messages');
    const isFrame = all.some(({ key }) => FRAME_MARKS.has(key));
    for (const { key, start, end } of all) {
      const first = this.#text.charAt(start);
      const below = { outer: place, step: key };
      const kind =
        own?.[key] ??
        (place.step === '_mcp' && first === '"' ? ARCHIVE_HEADER.get(key) : undefined) ??
        (isStream && (key === 'event' || key === 'id') ? 'frame' : undefined) ??
        (KEYS.has(key) ? kindOf(key, first, textOf, place.outer?.step) : undefined) ??
        (isFrame && isFrameField('record', key, this.#text, start, end) ? 'frame' : undefined);
      if (kind !== undefined) {
        const name = kind === 'event' ? stringIn(textOf('kind')) : stringIn(textOf('name'));
        this.#parts.push({ start, end, kind, place: below, name });
      } else if (isSession && key === 'trace' && first === '{') {
        this.#keptTrace(start, below);
      } else if (own === undefined || RECORDS.has(key)) {
        this.visit({ start, end }, below, depth + 1);
      }
    }
  }

  /** What a session file keeps of the header and the end of a trace. */
  #keptTrace(at: number, place: PartPlace): void {
    scanMembers(this.#text, at, ({ key, start, end }) => {
      if (this.#text.charAt(start) !== '{' || (key !== 'meta' && key !== 'end')) return;
      const kind = key === 'meta' ? 'header' : 'end';
      this.#parts.push({ start, end, kind, place: { outer: place, step: key } });
    });
  }
}

function kindOf(key: string, first: string, textOf: MemberText, list: PartPlace['step']): PartKind | undefined {
  if (first === '"' && key === 'value' && typeof list === 'string' && Object.hasOwn(LISTS, list)) return LISTS[list];
  if (first === '"') return kindOfString(key, textOf);
  if (first === '{' && key === 'raw' && /^"stdio\.(?:stderr|noise)"$/.test(textOf('kind') ?? '')) return 'event';
  return first === '[' && COMMANDS.has(key) ? 'command' : undefined;
}

function kindOfString(key: string, textOf: MemberText): PartKind | undefined {
  if (LINKS.has(key)) return 'frame';
  if (LINKS_OF_LINES.has(key)) return textOf('raw') !== undefined && textOf('dir') !== undefined ? 'frame' : undefined;
  if (key === 'server_command') return 'command-line';
  if (key === 'text' && textOf('encoding') === '"base64"') return 'base64';
  if (key === 'text' && textOf('direction') === '"stderr"') return 'text';
  return BODIES.has(key) && textOf(key)?.includes('jsonrpc') ? 'body' : undefined;
}

function stringIn(text: JsonText | undefined): string | undefined {
  return text?.startsWith('"') ? decodeString(text) : undefined;
}
