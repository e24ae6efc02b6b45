import { onOneLine } from '../../json/layout.ts';
import { escapeLoneSurrogates } from '../../json/lone-surrogates.ts';
import { elementTexts, ObjectView } from '../../json/object-view.ts';
import { decodeString, documentSpan } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { compactObject, type UnknownField } from '../unknown-fields.ts';

export type TranscriptFormat = 'streamable-http' | 'http-sse';

/** The members of an entry that contain messages. Exactly one of them is set. */
export const SLOTS = ['request', 'response', 'sse'] as const;

export type TranscriptSlot = (typeof SLOTS)[number];

/** The event for an entry without a message. `raw` is the entry's whole text. */
export const TRANSCRIPT_ENTRY = 'transcript.entry';

/**
 * How a message was stored in its entry, if it differs from how the writer stores it. Kept under the name of its slot.
 */
export interface TranscriptStyle {
  /** Whether the entry had no `timestamp_ms`. */
  readonly unstamped?: boolean | undefined;
  /** The index among the messages of its array, if it was in one. */
  readonly batch?: number | undefined;
  /** The number of times that it was encoded as a string: 1 for JSON in a string, 2 for such a string in a string. */
  readonly encoded?: number | undefined;
  /** The literal of `sse.data`, if encoding the text as a string results in a different one. */
  readonly data?: JsonText | undefined;
}

export function styleText(style: TranscriptStyle): JsonText {
  const fields: UnknownField[] = [];
  if (style.unstamped) fields.push(['"unstamped"', 'true']);
  if (style.batch !== undefined) fields.push(['"batch"', String(style.batch)]);
  if (style.encoded !== undefined) fields.push(['"encoded"', String(style.encoded)]);
  if (style.data !== undefined) fields.push(['"data"', style.data]);
  return compactObject(fields);
}

export function styleFrom(kept: ObjectView | undefined, slot: TranscriptSlot): TranscriptStyle {
  const view = kept?.object(slot);
  if (view === undefined) return {};
  const data = view.textOf('data');
  return {
    unstamped: view.textOf('unstamped') === 'true',
    batch: smallNumber(view.textOf('batch')),
    encoded: smallNumber(view.textOf('encoded')),
    data: data?.startsWith('"') ? data : undefined,
  };
}

function smallNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Deeper encodings do not occur in practice. Each level doubles the length, so a few dozen would exhaust memory. */
const MAX_ENCODINGS = 4;

/** Decodes a value that may be JSON in a string. Returns its content and the number of enclosing strings. */
function unwrap(data: JsonText): { readonly text: JsonText; readonly encoded: number } | undefined {
  let text = data;
  let encoded = 0;
  for (; text.startsWith('"'); encoded++) {
    const inner = decodeString(text);
    const span = documentSpan(inner);
    if (span === undefined || encoded === MAX_ENCODINGS) return undefined;
    text = inner.slice(span.start, span.end);
  }
  return { text: escapeLoneSurrogates(text), encoded };
}

/** Returns whether a string, which is no JSON, begins like a message or a batch. */
function isTorn(data: JsonText): boolean {
  let text = data;
  for (let depth = 0; depth <= MAX_ENCODINGS && documentSpan(text) !== undefined && text.startsWith('"'); depth++)
    text = decodeString(text).trim();
  return /^[[{]/.test(text) && documentSpan(text) === undefined;
}

/** Encodes the texts as one value, in the style in which they were found. */
export function wrap(texts: readonly JsonText[], style: TranscriptStyle): JsonText {
  if (style.data !== undefined && isData(style.data, texts, style)) return style.data;
  let value = style.batch === undefined ? (texts[0] ?? '{}') : `[${texts.join(',')}]`;
  const times = Math.min(style.encoded ?? 0, MAX_ENCODINGS);
  for (let n = 0; n < times; n++) value = JSON.stringify(value);
  return value;
}

/** Returns whether a kept literal still matches the messages, which may have been edited since. */
function isData(data: JsonText, texts: readonly JsonText[], style: TranscriptStyle): boolean {
  const text = unwrap(data)?.text;
  if (text === undefined || text.startsWith('[') !== (style.batch !== undefined)) return false;
  const inside = partsOf(text);
  return inside.length === texts.length && inside.every((part, n) => onOneLine(part) === onOneLine(texts[n] ?? ''));
}

/** Returns the elements of an array, or any other value itself. */
function partsOf(text: JsonText): readonly JsonText[] {
  return text.startsWith('[') ? (elementTexts(text) ?? []) : [text];
}

/** The content of an entry: messages, transport data without messages, or invalid content. */
export type EntryContent =
  | {
      readonly kind: 'messages';
      readonly slot: TranscriptSlot;
      readonly parts: readonly JsonText[];
      readonly style: TranscriptStyle;
    }
  | {
      readonly kind: 'transport-only';
      /** What is wrong with it, if it claims to be a message. */
      readonly what?: string;
    }
  | { readonly kind: 'fault'; readonly what: string };

const TRANSPORT_ONLY: EntryContent = { kind: 'transport-only' };
const TORN: EntryContent = { kind: 'transport-only', what: 'sse.data is not valid JSON' };

export function contentOf(entry: ObjectView): EntryContent {
  const named = SLOTS.filter((slot) => entry.has(slot));
  const filled = named.filter((slot) => entry.textOf(slot) !== 'null');
  const slot = filled[0];
  // An HTTP response without a body, or with a body that is not JSON-RPC.
  if (slot === undefined && named.length === 1 && named[0] === 'response') return TRANSPORT_ONLY;
  if (slot === undefined || filled.length > 1)
    return { kind: 'fault', what: 'must contain exactly one of request, response, or sse' };
  const value = entry.textOf(slot) ?? '';
  return slot === 'sse' ? contentOfSse(value) : contentOfBody(slot, value);
}

function contentOfBody(slot: TranscriptSlot, value: JsonText): EntryContent {
  const parts = partsOf(value);
  if (!parts.some(isObject)) return { kind: 'fault', what: `${slot} must be a JSON object` };
  return { kind: 'messages', slot, parts, style: value.startsWith('[') ? { batch: 0 } : {} };
}

function contentOfSse(value: JsonText): EntryContent {
  const sse = value.startsWith('{') ? ObjectView.of(value) : undefined;
  if (sse === undefined) return { kind: 'fault', what: 'sse must be a JSON object' };
  const data = sse.textOf('data');
  if (data === undefined) return { kind: 'fault', what: 'sse must have data' };
  if (!/^["n]/.test(sse.textOf('event') ?? 'null')) return { kind: 'fault', what: 'sse.event must be a string' };
  if (!isMessageEvent(sse)) return TRANSPORT_ONLY;
  if (!/^[[{"]/.test(data)) return { kind: 'fault', what: 'sse.data must be an object, a string or an array' };
  const unwrapped = unwrap(data);
  if (unwrapped === undefined) return isTorn(data) ? TORN : TRANSPORT_ONLY;
  const { text, encoded } = unwrapped;
  const parts = partsOf(text);
  if (!parts.some(isObject)) return TRANSPORT_ONLY;
  const style: TranscriptStyle = {
    batch: text.startsWith('[') ? 0 : undefined,
    encoded: encoded === 0 ? undefined : encoded,
  };
  const isAsWritten =
    encoded === 0 || (decodeString(data) === decodeString(wrap(parts, style)) && !/[\r\n]/.test(text));
  return { kind: 'messages', slot: 'sse', parts, style: isAsWritten ? style : { ...style, data } };
}

/** The specification of event streams defines events without a name as messages. */
export function isMessageEvent(sse: ObjectView): boolean {
  const event = sse.textOf('event') ?? 'null';
  return event === 'null' || sse.string('event') === 'message';
}

/** Returns whether an event's id is a string, a number or absent. */
export function isFitId(id: JsonText = 'null'): boolean {
  return /^["\d-]|^null$/.test(id);
}

export function isObject(text: JsonText): boolean {
  return text.startsWith('{');
}
