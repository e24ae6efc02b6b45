import { decodeUtf8 } from '../../json/lines.ts';
import { ObjectView } from '../../json/object-view.ts';
import { decodeString, documentSpan, encodeString } from '../../json/scan.ts';
import type { JsonText, MessageEntry } from '../../model/entry.ts';
import { isRedacted } from '../../model/placeholder.ts';
import { type SessionHeader, unnamedHeader } from '../../model/session.ts';
import { looksLikeSse } from '../../protocol/sse/sse-body.ts';
import { decodeBase64 } from '../detect/plausibility.ts';
import { isPlaceholder } from '../placeholder.ts';
import { createRedactor, type RedactOptions, type Redactor, type Removal } from '../redactor.ts';
import { editsBetween } from './alignment.ts';
import { type CapturePart, partsOf, pathOf } from './capture-parts.ts';
import { redactCommandArray, redactCommandLine, wordsOfArray, wordsOfLine } from './command-text.ts';
import { applyEdits, inLiteral } from './edits.ts';
import { redactEventStream } from './event-stream-text.ts';
import { endRecord, KEPT_HEADER, type PartKind } from './record-parts.ts';

/** A secret that was redacted in a capture: its kind and its JSONPath. */
export interface FoundSecret {
  readonly kind: string;
  readonly path: string;
}

/**
 * Redacts secrets in a capture of any format, one text at a time. A text is a document, or one line of a file with one
 * record per line. Everything else stays unchanged to the character. Texts must be passed in order, because a private
 * key may span several.
 */
export class CaptureText {
  readonly #redactor: Redactor;
  /** Returns the path of a removal in the part that is being processed. */
  #pathOf: (removal: Removal) => string = ({ path }) => path;
  #isFirst = true;
  /** The command and the address in the header of the capture, from which its label may come. */
  #target: Pick<SessionHeader, 'command' | 'url'> = { command: [], url: undefined };

  constructor(options: RedactOptions, onFound?: (found: FoundSecret) => void) {
    const onRemoved = ({ kind, part, path }: Removal): void =>
      onFound?.({ kind, path: this.#pathOf({ kind, part, path }) });
    this.#redactor = createRedactor(onFound === undefined ? options : { ...options, onRemoved });
  }

  /** The number of values redacted so far, per kind. */
  get removed(): ReadonlyMap<string, number> {
    return this.#redactor.removed;
  }

  /** Calls `onPlain` if the text is not JSON, and is redacted as plain text. */
  redact(text: JsonText, onPlain?: () => void): JsonText {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const parts = partsOf(text, isFirst);
    if (parts === undefined) onPlain?.();
    if (isFirst) this.#target = targetAmong(text, parts ?? []);
    return this.#around(text, parts);
  }

  /** Redacts parts of a text and what is around them. */
  #around(text: JsonText, parts: readonly CapturePart[] = []): JsonText {
    if (parts.length === 0) return this.#json(text);
    const [only] = parts;
    // A line is often one message, which need not be copied.
    if (only !== undefined && only.start === 0 && only.end === text.length) return this.#part(only, text);
    const gaps = takeOut(text, parts);
    const values = parts.map((part) => this.#part(part, text.slice(part.start, part.end)));
    return gaps.fill(this.#json(gaps.rest), values);
  }

  #part(part: CapturePart, text: JsonText): JsonText {
    const outer = this.#pathOf;
    const place = (rest: string): string => outer({ kind: '', part: '', path: pathOf(part.place) + rest });
    this.#pathOf = pathWithin(part, place);
    try {
      return this.#redactPart(part, text);
    } finally {
      this.#pathOf = outer;
    }
  }

  #redactPart({ kind, name = '' }: CapturePart, text: JsonText): JsonText {
    switch (kind) {
      case 'frame':
        return text;
      case 'record':
        return this.redact(text);
      case 'message':
        return this.#message({ text }).text;
      case 'event':
        return this.#event(name, text);
      case 'context':
        return this.#message({ http: text }).http ?? text;
      case 'stream':
        return this.#message({ sse: text }).sse ?? text;
      case 'label':
        return this.#label(text);
      case 'url':
        return changedLiteral(text, (url) => this.#header({ url }).url ?? url);
      case 'metadata':
        return this.#header({ metadata: text }).metadata;
      case 'command':
        return redactCommandArray(text, this.#words) ?? this.#json(text);
      case 'command-line':
        return changedLiteral(text, (line) => redactCommandLine(line, this.#words) ?? this.#string(line));
      case 'kept':
        return this.#json(text);
      case 'header':
        return this.#around(text, partsOf(text, false, KEPT_HEADER));
      case 'end':
        return this.#around(text, partsOf(text, false, endRecord(ObjectView.of(text)?.textOf('reason'))));
      case 'string':
        return changedLiteral(text, (sentText) => this.#message({ sentText }).sentText ?? sentText);
      case 'text':
        return ObjectView.of(this.#event('stdio.stderr', `{"text":${text}}`))?.textOf('text') ?? text;
      case 'body':
        return changedLiteral(text, (body) => this.#body(body));
      case 'base64':
        return this.#base64(text);
      case 'cookie':
        return changedLiteral(text, (value) => this.#cookie(value));
      case 'query':
        return changedLiteral(text, (value) => this.#parameter(name, value));
    }
  }

  #message(parts: Partial<MessageEntry>): MessageEntry {
    const empty = {
      kind: 'message',
      sequence: 0,
      proxyId: '',
      atMs: 0,
      direction: 'client_to_server',
      text: '',
    } as const;
    const redacted = this.#redactor.entry({ ...empty, ...parts });
    return redacted.kind === 'message' ? redacted : { ...empty, ...parts };
  }

  #event(event: string, raw: JsonText): JsonText {
    const redacted = this.#redactor.entry({ kind: 'event', event, atMs: 0, raw });
    return redacted.kind === 'event' ? redacted.raw : raw;
  }

  #header(parts: Partial<SessionHeader>): SessionHeader {
    return this.#redactor.header({ ...unnamedHeader(''), ...parts });
  }

  #json(text: JsonText): JsonText {
    const redacted = this.#redactor.entry({ kind: 'other', type: undefined, atMs: 0, text });
    return redacted.kind === 'other' ? redacted.text : text;
  }

  #string(value: string): string {
    return decodeString(this.#json(encodeString(value)));
  }

  #label(literal: JsonText): JsonText {
    if (!literal.startsWith('"')) return literal;
    const label = decodeString(literal);
    const redacted = this.#header({ ...this.#target, label }).label;
    // It may be another one, if it came from the command.
    return isRedacted(redacted)
      ? changedLiteral(literal, () => redacted)
      : redacted === label
        ? literal
        : encodeString(redacted);
  }

  readonly #words = (command: readonly string[]): readonly string[] => this.#header({ command }).command;

  #cookie(value: string): string {
    const headers = ObjectView.of(this.#json(`{"headers":{"Cookie":${encodeString(`x=${value}`)}}}`))?.object(
      'headers',
    );
    return headers?.string('Cookie')?.slice('x='.length) ?? value;
  }

  /** A parameter is a secret if it would be one in a URL. */
  #parameter(name: string, value: string): string {
    if (isRedacted(value)) return this.#string(value);
    const address = `https://x.example/?${percentEncoded(name)}=`;
    const shown = this.#string(address + percentEncoded(value)).slice(address.length);
    return isPlaceholder(shown) ? shown : this.#string(value);
  }

  /** Redacts a body that may be JSON or an event stream, in which the data of an event may be JSON. */
  #body(body: string): string {
    const redactData = (data: string): string => (documentSpan(data) ? this.redact(data) : this.#string(data));
    if (!looksLikeSse(body)) return redactData(body);
    return redactEventStream(body, {
      data: redactData,
      event: (name) => this.#eventName(name),
      other: (text) => this.#string(text),
    });
  }

  #eventName(event: string): string {
    const sse = this.#message({ sse: `{"event":${encodeString(event)}}` }).sse;
    return (sse && ObjectView.of(sse)?.string('event')) ?? event;
  }

  #base64(literal: JsonText): JsonText {
    const bytes = decodeBase64(decodeString(literal));
    const body = bytes && decodeUtf8(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
    if (!body) return literal;
    const redacted = this.#body(body);
    return redacted === body ? literal : encodeString(encodeBase64(redacted));
  }
}

function targetAmong(text: JsonText, parts: readonly CapturePart[]): Pick<SessionHeader, 'command' | 'url'> {
  const textOf = (wanted: PartKind): JsonText | undefined => {
    const part = parts.find(({ kind, place }) => kind === wanted && place.step !== 'args');
    return part && text.slice(part.start, part.end);
  };
  const stringOf = (kind: PartKind): string | undefined => {
    const literal = textOf(kind);
    return literal?.startsWith('"') ? decodeString(literal) : undefined;
  };
  const array = textOf('command');
  const line = stringOf('command-line');
  const command = (array && wordsOfArray(array)) || (line && wordsOfLine(line)) || [];
  return { command, url: stringOf('url') };
}

function pathWithin({ kind }: CapturePart, place: (rest: string) => string): (removal: Removal) => string {
  switch (kind) {
    case 'record':
    case 'message':
    case 'event':
    case 'context':
    case 'stream':
    case 'metadata':
    case 'kept':
    case 'header':
    case 'end':
      return ({ path }) => place(path.slice(1));
    case 'body':
    case 'base64':
      return ({ path }) => place(path === '$' ? '' : ` > ${path}`);
    case 'command':
      return ({ part }) => place(part.replace(/^command/, ''));
    case 'frame':
    case 'label':
    case 'url':
    case 'command-line':
    case 'string':
    case 'text':
    case 'cookie':
    case 'query':
      return () => place('');
  }
}

/** Redacts parts of a string literal and keeps the spelling of the rest. */
function changedLiteral(literal: JsonText, change: (value: string) => string): JsonText {
  if (!literal.startsWith('"')) return literal;
  const value = decodeString(literal);
  const changed = change(value);
  return changed === value ? literal : applyEdits(literal, inLiteral(literal, 0, editsBetween(value, changed)));
}

function encodeBase64(text: string): string {
  const parts: string[] = [];
  const bytes = new TextEncoder().encode(text);
  // The chunk size stays below the maximum number of arguments of a call.
  for (let at = 0; at < bytes.length; at += 4096) parts.push(String.fromCharCode(...bytes.subarray(at, at + 4096)));
  return btoa(parts.join(''));
}

/** Percent-encodes all characters except letters, digits and those that a URL allows. */
function percentEncoded(text: string): string {
  return text.replaceAll(/[^\w.~-]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').slice(-2)}`);
}

/** A JSON text with some values replaced by numbers, which mark where to insert them again. */
interface TextGaps {
  readonly rest: JsonText;
  /** Inserts other values at the marks. A mark that was removed stays removed. */
  fill(rest: JsonText, values: readonly JsonText[]): JsonText;
}

/** Takes out these parts, which must be in order and must not overlap. */
function takeOut(text: JsonText, parts: readonly CapturePart[]): TextGaps {
  const zero = unusedZero(text);
  const pieces: string[] = [];
  let at = 0;
  for (const [index, { start, end, kind }] of parts.entries()) {
    pieces.push(text.slice(at, start), `${zero}${REMOVABLE.has(kind) ? 'E' : 'e'}${index}`);
    at = end;
  }
  pieces.push(text.slice(at));
  const gaps = new RegExp(`${zero.replace('.', '\\.')}e(\\d+)`, 'gi');
  return {
    rest: pieces.join(''),
    fill: (rest, values) => rest.replaceAll(gaps, (_, index: string) => values[Number(index)] ?? 'null'),
  };
}

/** What a rule for its name, or for the list that it is in, removes. The marks of all others stay. */
const REMOVABLE: ReadonlySet<PartKind> = new Set(['text', 'body', 'base64', 'cookie', 'query']);

/** Finds a spelling of zero that does not occur in the text. No rule redacts a zero. */
function unusedZero(text: string): string {
  // Collect all of them in one pass, because a text may contain any number of them.
  const used = new Set(text.match(/-0\.0+(?=e)/gi));
  let zero = '-0.0';
  while (used.has(zero)) zero += '0';
  return zero;
}
