import { scanValue } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';

/**
 * What a text is a part of: `record` for a record of a recording, or for what it says beside a message; `stream` for
 * an event of a stream, whose id may be any text.
 */
export type FrameKind = 'record' | 'stream';

/** Fields of a recording's records that hold a time, a word, an id or a count, which tells the recording's own kind of thing. */
const FRAME_TIMES = new Set(
  `t ts time timestamp timestamp_ms startedAt endedAt started_at ended_at startedDateTime dateTime`.split(' '),
);
const FRAME_WORDS = new Set(
  `type dir direction transport kind event format message_type method redact signal side action as by askedBy
  answeredBy httpVersion`.split(/\s+/),
);
const FRAME_IDS = new Set(`id corr of session_id sessionId proxyId`.split(' '));
const FRAME_NUMBERS = new Set(
  `v seq _seq sequence before conv conversation exchange frame index part exitCode durationMs status retry size missed id
  jsonrpcId jsonrpc_id ms duration latency_ms t_offset_ms response_status responseStatus bodySize headersSize
  cassetteVersion format_version`.split(/\s+/),
);
/** Objects of numbers: durations and sizes. */
const FRAME_FIGURES = new Set(`ms bytes timings`.split(' '));
const FIGURES = /^\{[\w\s":,.+-]*\}$/;
const TEXT_VALUE = /:\s{0,8}"/;
const MAX_FRAME_FIELD = 64;
const MAX_FIGURES = 256;

/** Returns whether a value is a field of the recording itself, by its name and its form. */
export function isFrameField(frame: FrameKind, key: string, text: JsonText, start: number, end: number): boolean {
  if (end - start > MAX_FIGURES) return false;
  const value = text.slice(start, end);
  if (frame === 'stream' && key === 'id') return true;
  if (value.startsWith('{')) return FRAME_FIGURES.has(key) && FIGURES.test(value) && !TEXT_VALUE.test(value);
  if (value.length > MAX_FRAME_FIELD) return false;
  if (/^-?\d/.test(value)) return FRAME_NUMBERS.has(key) || FRAME_TIMES.has(key);
  if (FRAME_TIMES.has(key)) return /^"[+-]?\d{4,6}-\d\d-\d\dT[\d:.+Z-]+"$/.test(value);
  if (FRAME_WORDS.has(key)) return /^"[A-Za-z][\w./>-]*"$/.test(value);
  if (key === 'version') return /^"[\d.]+"$/.test(value);
  return FRAME_IDS.has(key) && /^"(?:[\w-]{1,12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"$/.test(value);
}

/** Parts of a text that are redacted apart are replaced by spellings of zero, which no rule redacts. */
const ZERO = '-0.0';
const FRAME_MARK = /-0\.0+e\d/;
const AT_FRAME_MARK = /-0\.0+e\d/y;
/** Containers of records are at most this deep. */
const MAX_MARKED = 3;

/**
 * Returns whether the value at this offset belongs to the recording: a mark for a part of it, or one of its fields.
 *
 * @param key The key of a member of the outermost object.
 */
export function isOfFrame(text: JsonText, at: number, key: string | undefined, frame: FrameKind | undefined): boolean {
  if (text.startsWith(ZERO, at)) {
    AT_FRAME_MARK.lastIndex = at;
    if (AT_FRAME_MARK.test(text)) return true;
  }
  return frame !== undefined && key !== undefined && isFrameField(frame, key, text, at, scanValue(text, at));
}

/** Returns whether the container at this offset consists of records, which are redacted one by one. */
export function holdsRecords(text: JsonText, at: number, depth: number): boolean {
  return depth <= MAX_MARKED && FRAME_MARK.test(text.slice(at, scanValue(text, at)));
}
