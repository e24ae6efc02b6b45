import type { JsonText } from '../../model/entry.ts';
import { strengthOfName } from '../names/secret-names.ts';

/** Fields of a recording's records that hold a time, a word or an id, which tells the recording's own kind of thing. */
const FRAME_TIMES = new Set(
  `t ts time timestamp timestamp_ms startedAt endedAt started_at ended_at startedDateTime`.split(' '),
);
const FRAME_WORDS = new Set(`type dir direction transport kind event format message_type method redact`.split(' '));
const FRAME_IDS = new Set(`id corr session_id sessionId`.split(' '));
const MAX_FRAME_FIELD = 64;

/** Returns whether a value is a field of the recording itself, by its name and its form. */
export function isFrameField(key: string, text: JsonText, start: number, end: number): boolean {
  if (end - start > MAX_FRAME_FIELD) return false;
  const value = text.slice(start, end);
  if (/^-?\d/.test(value)) return strengthOfName(key) !== 'password';
  if (FRAME_TIMES.has(key)) return /^"\d{4}-\d\d-\d\dT[\d:.+Z-]+"$/.test(value);
  if (FRAME_WORDS.has(key)) return /^"[A-Za-z][A-Za-z_.>/-]*"$/.test(value);
  return FRAME_IDS.has(key) && /^"(?:[\w-]{1,12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"$/.test(value);
}
