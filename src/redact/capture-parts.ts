import { documentSpan, type Member, type Span, scanElements, scanMembers } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';

/**
 * What a value in a capture is, where that makes a difference:
 * - `message`: a JSON-RPC message, whose own fields stay.
 * - `line`: what a program printed, as the `raw` of an event.
 * - `text`: the same as a bare string.
 * - `body`: a string that holds messages, as JSON or as an event stream.
 * - `base64`: such a body in base64.
 * - `command`, `command-line`: a command, as an array of words or as one string.
 * - `link`: an id by which messages are found. It stays.
 */
export type PartKind = 'message' | 'line' | 'text' | 'body' | 'base64' | 'command' | 'command-line' | 'link';

export interface CapturePart extends Span {
  readonly kind: PartKind;
  readonly place: Place;
  /** What an event calls itself. */
  readonly event?: string | undefined;
}

/** The way to a value, from the inside out. */
export interface Place {
  readonly outer: Place | undefined;
  readonly step: string | number | undefined;
}

/** Captures put messages no deeper than this. Each level costs another look at what is in it. */
const DEEPEST = 10;

const BODIES = new Set(['text', 'requestBody', 'responseBody', 'body', 'data']);
const COMMANDS = new Set(['command', 'args', 'argv']);
const LINKS = new Set(['proxy_id', 'correlated_id', 'jsonrpc_id']);
const LINKS_OF_LINES = new Set(['id', 'corr']);

/** The parts of a text that need to be looked at as what they are, in order and without overlap. */
export function partsOf(text: JsonText): readonly CapturePart[] {
  const document = documentSpan(text);
  const parts: CapturePart[] = [];
  if (document !== undefined) new PartFinder(text, parts).visit(document, { outer: undefined, step: undefined }, 0);
  return parts;
}

/** The place as a JSONPath. */
export function pathOf(place: Place): string {
  const steps: string[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.outer) {
    const { step } = at;
    if (typeof step === 'number') steps.push(`[${step}]`);
    else if (step !== undefined) steps.push(/^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`);
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

  visit(span: Span, place: Place, depth: number): void {
    if (depth > DEEPEST) return;
    const first = this.#text.charAt(span.start);
    if (first === '{') this.#object(span, place, depth);
    if (first !== '[') return;
    let index = 0;
    scanElements(this.#text, span.start, (element) => this.visit(element, { outer: place, step: index++ }, depth + 1));
  }

  #object(span: Span, place: Place, depth: number): void {
    const members: Member[] = [];
    scanMembers(this.#text, span.start, (member) => members.push(member));
    if (members.some(({ key }) => key === 'jsonrpc')) {
      this.#parts.push({ ...span, kind: 'message', place });
      return;
    }
    const object = new Map(members.map((member) => [member.key, this.#text.slice(member.start, member.end)]));
    for (const { key, start, end } of members) {
      const below = { outer: place, step: key };
      const kind = kindOf(key, this.#text.slice(start, end), object);
      if (kind === undefined) this.visit({ start, end }, below, depth + 1);
      else this.#parts.push({ start, end, kind, place: below, event: eventIn(object) });
    }
  }
}

function kindOf(key: string, value: JsonText, object: ReadonlyMap<string, JsonText>): PartKind | undefined {
  const first = value.charAt(0);
  if (first === '"') return kindOfString(key, value, object);
  if (first === '{' && key === 'raw' && eventIn(object) !== undefined) return 'line';
  return first === '[' && COMMANDS.has(key) && /^\[\s*"/.test(value) ? 'command' : undefined;
}

function kindOfString(key: string, value: JsonText, object: ReadonlyMap<string, JsonText>): PartKind | undefined {
  if (LINKS.has(key) || (LINKS_OF_LINES.has(key) && object.has('raw') && object.has('dir'))) return 'link';
  if (key === 'server_command') return 'command-line';
  if (key === 'text' && object.get('encoding') === '"base64"') return 'base64';
  if (key === 'text' && object.get('direction') === '"stderr"') return 'text';
  return BODIES.has(key) && value.includes('jsonrpc') ? 'body' : undefined;
}

/** What the event calls itself, if it is a line that a program printed. */
function eventIn(object: ReadonlyMap<string, JsonText>): string | undefined {
  const kind = object.get('kind');
  return kind === '"stdio.stderr"' || kind === '"stdio.noise"' ? kind.slice(1, -1) : undefined;
}
