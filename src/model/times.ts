/** Parses and formats the times of traces and session files. */

/** The latest time that a `Date` can represent; the earliest is as far before 1970. */
export const LATEST_MS = 8_640_000_000_000_000;

/**
 * Most times in a session fall into the same second as the time before. Caching the last second, as a number and as
 * text, makes parsing and formatting several times faster.
 */
let lastSecondMs = Number.NaN;
let lastSecond = '';
/** Entries that are recorded together share even the millisecond. */
let lastTraceTimeMs = Number.NaN;
let lastTraceTime = '';

function secondOf(atMs: number): string {
  const secondMs = Math.floor(atMs / 1000) * 1000;
  if (secondMs !== lastSecondMs) {
    lastSecond = new Date(secondMs).toISOString().slice(0, -5);
    lastSecondMs = secondMs;
  }
  return lastSecond;
}

/** Formats a time as traces do, always with milliseconds: `2026-03-04T10:00:01.123Z`. */
export function formatTraceTime(atMs: number): string {
  if (atMs !== lastTraceTimeMs) {
    lastTraceTime = `${secondOf(atMs)}.${millisecondsOf(atMs)}Z`;
    lastTraceTimeMs = atMs;
  }
  return lastTraceTime;
}

/** Formats a time as session files do, with a fraction only if it is not zero: `2026-03-04T10:00:01+00:00`. */
export function formatSessionTime(atMs: number): string {
  return atMs % 1000 === 0 ? `${secondOf(atMs)}+00:00` : `${secondOf(atMs)}.${millisecondsOf(atMs)}+00:00`;
}

function millisecondsOf(atMs: number): string {
  return String(Math.floor(atMs) - lastSecondMs).padStart(3, '0');
}

/** Parses a time in exactly the form that `formatTraceTime` writes; `undefined` for any other form. */
export function parseTraceTime(text: string): number | undefined {
  if (text.length === 24 && lastSecond !== '' && text.startsWith(lastSecond)) {
    const fraction = fractionMs(text);
    if (fraction >= 0) return lastSecondMs + fraction;
  }
  const ms = parseTime(text);
  return ms !== undefined && formatTraceTime(ms) === text ? ms : undefined;
}

/** The milliseconds of the suffix `.123Z`; negative if the suffix has another form. */
function fractionMs(text: string): number {
  const hundreds = text.charCodeAt(20) - ZERO;
  const tens = text.charCodeAt(21) - ZERO;
  const ones = text.charCodeAt(22) - ZERO;
  const areDigits = isDigit(hundreds) && isDigit(tens) && isDigit(ones);
  return areDigits && text.charAt(19) === '.' && text.charAt(23) === 'Z' ? 100 * hundreds + 10 * tens + ones : -1;
}

const ZERO = 0x30;
const isDigit = (value: number): boolean => value >= 0 && value <= 9;

/** Excludes days that some months lack, and 24:00, which `Date` moves to the next day. */
const PLAIN_TRACE_TIME = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T(?:[01]\d|2[0-3]):\d\d:\d\d\.\d{3}Z$/;

/** Years after 9999 and before 0 have a sign and six digits. */
const ISO_TIME =
  /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d{1,3})\d*)?\s*(Z|z|[+-]\d\d(?::?\d\d)?)?$/;

/** Parses an ISO 8601 time to epoch milliseconds (UTC if it has no offset); `undefined` if it is not valid. */
export function parseTime(text: string): number | undefined {
  const ms = PLAIN_TRACE_TIME.test(text) ? Date.parse(text) : parseLooseTime(text);
  return Number.isNaN(ms) ? undefined : ms;
}

function parseLooseTime(text: string): number {
  const match = ISO_TIME.exec(text);
  if (match === null) return Number.NaN;
  const [, date, time, fraction = '0', zone = 'Z'] = match;
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase();
  return Date.parse(`${date}T${time}.${fraction.padEnd(3, '0')}${offset}`);
}
