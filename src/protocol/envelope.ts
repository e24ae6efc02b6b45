import { canonicalNumber } from '../json/number.ts';
import { decodeString, scanObject, scanValue, skipSpace } from '../json/scan.ts';
import type { Envelope, JsonText, MessageBody, MessageEntry, MessageKind } from '../model/entry.ts';
import { readPlainMessage } from './plain-message.ts';

/** Reads the top-level fields of JSON-RPC messages. */

/** The envelope of a message, read only if the entry does not have it already. */
export function envelopeOf(message: MessageEntry): Envelope {
  return message.envelope ?? readEnvelope(message.text);
}

/** Reads the envelope of a message with any payload. */
export function readEnvelope(text: JsonText): Envelope {
  const { envelope, end } = scanEnvelope(text, skipSpace(text, 0));
  return end >= 0 ? envelope : NO_ENVELOPE;
}

const NO_ENVELOPE: Envelope = { kind: 'invalid', id: undefined, method: undefined };

/** The result of one pass over a message. */
export interface ScannedMessage {
  readonly envelope: Envelope;
  /**
   * The span of its params, result or error, counted from the message's first character; absent if it has more than
   * one.
   */
  readonly body: MessageBody | undefined;
  /** Whether it has a `jsonrpc` member. */
  readonly saysRpc: boolean;
  /** The offset after the message, or `~offset` if it is not JSON. */
  readonly end: number;
}

/** Scans the message that starts at `at`. */
export function scanEnvelope(text: string, at: number): ScannedMessage {
  const plain = readPlainMessage(text, at);
  if (plain !== undefined) {
    return { envelope: plain.envelope, body: plain.body, saysRpc: true, end: at + plain.length };
  }
  if (text.charAt(at) !== '{') {
    return { envelope: NO_ENVELOPE, body: undefined, saysRpc: false, end: scanValue(text, at) };
  }
  let id: string | undefined;
  let method: string | undefined;
  let answers = false;
  let saysRpc = false;
  let bodies = 0;
  let body: MessageBody | undefined;
  const end = scanObject(text, at, (key, start) => {
    const valueEnd = scanValue(text, start);
    if (valueEnd < 0) return valueEnd;
    if (key === 'id') id = idText(text.slice(start, valueEnd));
    else if (key === 'method') method = stringOf(text.slice(start, valueEnd));
    else if (key === 'params' || key === 'result' || key === 'error') {
      bodies++;
      body = { key, start: start - at, end: valueEnd - at };
      if (key !== 'params') answers = true;
    } else if (key === 'jsonrpc') saysRpc = true;
    return valueEnd;
  });
  if (bodies !== 1) body = undefined;
  const withoutMethod = answers ? 'response' : 'invalid';
  const withMethod = id === undefined ? 'notification' : 'request';
  const kind = method === undefined ? withoutMethod : withMethod;
  return { envelope: { kind, id, method }, body, saysRpc, end };
}

/** The fields that are needed to pair a message. */
export interface EnvelopePeek {
  readonly kind: MessageKind;
  /** The result of `idKey`. */
  readonly key: string | number | undefined;
}

/**
 * Up to this length one regular expression is twice as fast as `JSON.parse`. The parser copies longer strings faster
 * than the expression reads them.
 */
const PLAIN_LENGTH = 1 << 10;

/** Beyond this length building all values of a message costs more than `JSON.parse` saves. */
const GLANCE_LENGTH = 1 << 16;

/**
 * Reads the pairing fields of a text; `undefined` if the text is not a JSON object. For texts that are neither plain
 * nor long, `JSON.parse` is several times faster than scanning, even though its result is discarded.
 */
export function peekAt(text: string): EnvelopePeek | undefined {
  return peek(text, false);
}

/** The same, but only for objects with a `jsonrpc` member. */
export function peekAtRpc(text: string): EnvelopePeek | undefined {
  return peek(text, true);
}

function peek(text: string, mustSayRpc: boolean): EnvelopePeek | undefined {
  const start = skipSpace(text, 0);
  // Rejecting a text costs `JSON.parse` far more than parsing one.
  if (text.charAt(start) !== '{') return undefined;
  if (text.length <= GLANCE_LENGTH) {
    const plain = text.length <= PLAIN_LENGTH ? readPlainMessage(text, start) : undefined;
    if (plain !== undefined && skipSpace(text, start + plain.length) === text.length) return peekOf(plain.envelope);
    let message: Readonly<Record<string, unknown>>;
    try {
      message = JSON.parse(text) as Record<string, unknown>;
    } catch {
      return undefined;
    }
    if (mustSayRpc && !Object.hasOwn(message, 'jsonrpc')) return undefined;
    const { id } = message;
    if (typeof id === 'number') {
      if (isSpelledOut(id, text)) return { kind: kindOf(message, true), key: id };
    } else if (typeof id === 'string') {
      return { kind: kindOf(message, true), key: `s${id}` };
    } else {
      return { kind: kindOf(message, false), key: undefined };
    }
  }
  // A number may have more digits than JavaScript can represent.
  const { envelope, saysRpc, end } = scanEnvelope(text, start);
  if (end < 0 || skipSpace(text, end) < text.length) return undefined;
  if (mustSayRpc && !saysRpc) return undefined;
  return peekOf(envelope);
}

function peekOf({ kind, id }: Envelope): EnvelopePeek {
  return { kind, key: id === undefined ? undefined : idKey(id) };
}

/**
 * Whether the text spells a small integer id plainly. `1e-400` and `1.00000000000000001` also parse to small integers.
 */
function isSpelledOut(id: number, text: string): boolean {
  if (!Number.isInteger(id) || id < 0 || id > LARGEST_SMALL_NUMBER) return false;
  const spelling = `"id":${id}`;
  const at = text.indexOf(spelling);
  const next = at < 0 ? '' : text.charAt(at + spelling.length);
  return next === ',' || next === '}';
}

function kindOf(message: Readonly<Record<string, unknown>>, hasId: boolean): MessageKind {
  if (typeof message.method === 'string') return hasId ? 'request' : 'notification';
  return 'result' in message || 'error' in message ? 'response' : 'invalid';
}

function idText(text: string): string | undefined {
  return /^["\-\d]/.test(text) ? text : undefined;
}

function stringOf(text: string): string | undefined {
  return text.startsWith('"') ? decodeString(text) : undefined;
}

/**
 * One key for every spelling of the same id. A string and a number never share a key: `1` and `"1"` are different ids
 * on the wire. Small integers, which most ids are, are their own keys.
 *
 * The key is a copy. A slice would keep the whole message in memory until its response arrives.
 */
export function idKey(id: JsonText): string | number {
  const small = smallNumber(id);
  if (small >= 0) return small;
  if (id.startsWith('"')) return `s${JSON.parse(id) as string}`;
  const canonical = canonicalNumber(JSON.parse(`"${id}"`) as string);
  const value = SMALL_CANONICAL.test(canonical) ? Number(canonical) : Number.NaN;
  return value <= LARGEST_SMALL_NUMBER ? value : `n${canonical}`;
}

/** The value of up to eight digits, or -1. It is called several times for every message. */
function smallNumber(id: JsonText): number {
  if (id.length === 0 || id.length > 8) return -1;
  let value = 0;
  for (let i = 0; i < id.length; i++) {
    const digit = id.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = 10 * value + digit;
  }
  return value;
}

const SMALL_CANONICAL = /^\d{1,8}e\d$/;
const LARGEST_SMALL_NUMBER = 99_999_999;
