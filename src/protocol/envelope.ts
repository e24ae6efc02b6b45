import { canonicalNumber } from '../json/number.ts';
import { decodeString, scanObject, scanValue, skipSpace } from '../json/scan.ts';
import type { Envelope, JsonText, MessageBody, MessageEntry } from '../model/entry.ts';

/** The envelope of a message, read only if that was not done before. */
export function envelopeOf(message: MessageEntry): Envelope {
  return message.envelope ?? readEnvelope(message.text);
}

/** Reads the envelope of a message, whatever its payload holds. */
export function readEnvelope(text: JsonText): Envelope {
  const { envelope, end } = scanEnvelope(text, skipSpace(text, 0));
  return end >= 0 ? envelope : NO_ENVELOPE;
}

const NO_ENVELOPE: Envelope = { kind: 'invalid', id: undefined, method: undefined };

/** What one pass over a message finds out. */
export interface ScannedMessage {
  readonly envelope: Envelope;
  /** Where its one of params, result and error stands, counted from the message's first character. */
  readonly body: MessageBody | undefined;
  /** The offset after the message, `~offset` where it is no JSON. */
  readonly end: number;
}

/** Looks at the message that starts at `at`. */
export function scanEnvelope(text: string, at: number): ScannedMessage {
  if (text.charAt(at) !== '{') return { envelope: NO_ENVELOPE, body: undefined, end: scanValue(text, at) };
  let id: string | undefined;
  let method: string | undefined;
  let answers = false;
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
    }
    return valueEnd;
  });
  if (bodies !== 1) body = undefined;
  if (method === undefined) return { envelope: { kind: answers ? 'response' : 'invalid', id, method }, body, end };
  return { envelope: { kind: id === undefined ? 'notification' : 'request', id, method }, body, end };
}

function idText(text: string): string | undefined {
  return /^["\-\d]/.test(text) ? text : undefined;
}

function stringOf(text: string): string | undefined {
  return text.startsWith('"') ? decodeString(text) : undefined;
}

/**
 * One key for every spelling of the same id. A string and a number never share one: `1` and `"1"` are two ids on the
 * wire. Small whole numbers, which most ids are, are their own keys.
 *
 * The key is a copy. A slice would keep the whole message alive for as long as somebody waits for its answer.
 */
export function idKey(id: JsonText): string | number {
  if (SMALL_NUMBER.test(id)) return Number(id);
  if (id.startsWith('"')) return `s${JSON.parse(id) as string}`;
  const canonical = canonicalNumber(JSON.parse(`"${id}"`) as string);
  const value = SMALL_CANONICAL.test(canonical) ? Number(canonical) : Number.NaN;
  return value <= LARGEST_SMALL_NUMBER ? value : `n${canonical}`;
}

const SMALL_NUMBER = /^\d{1,8}$/;
const SMALL_CANONICAL = /^\d{1,8}e\d$/;
const LARGEST_SMALL_NUMBER = 99_999_999;
