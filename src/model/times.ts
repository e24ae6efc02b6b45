/** The last time that a `Date` can hold; the first is as far before 1970. */
export const LATEST_MS = 8_640_000_000_000_000;

/**
 * Times of a session mostly share their second with the one before. Remembering the last second, in both spellings,
 * makes reading and writing a time several times faster.
 */
let lastSecondMs = Number.NaN;
let lastSecond = '';
/** And what is recorded together even shares its millisecond. */
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

/** `2026-03-04T10:00:01.123Z`: how traces write a time. Always with milliseconds. */
export function formatTraceTime(atMs: number): string {
  if (atMs !== lastTraceTimeMs) {
    lastTraceTime = `${secondOf(atMs)}.${millisecondsOf(atMs)}Z`;
    lastTraceTimeMs = atMs;
  }
  return lastTraceTime;
}

/** `2026-03-04T10:00:01+00:00`: how session files write a time. A fraction only if there is one. */
export function formatSessionTime(atMs: number): string {
  return atMs % 1000 === 0 ? `${secondOf(atMs)}+00:00` : `${secondOf(atMs)}.${millisecondsOf(atMs)}+00:00`;
}

function millisecondsOf(atMs: number): string {
  return String(Math.floor(atMs) - lastSecondMs).padStart(3, '0');
}

/** Epoch milliseconds of a time in the spelling of traces, so that writing it gives the same characters; `undefined` for any other. */
export function parseTraceTime(text: string): number | undefined {
  if (text.length === 24 && lastSecond !== '' && text.startsWith(lastSecond)) {
    const fraction = fractionMs(text);
    if (fraction >= 0) return lastSecondMs + fraction;
  }
  const ms = parseTime(text);
  return ms !== undefined && formatTraceTime(ms) === text ? ms : undefined;
}

/** What stands after the seconds, `.123Z`, as milliseconds; negative where something else does. */
function fractionMs(text: string): number {
  const hundreds = text.charCodeAt(20) - ZERO;
  const tens = text.charCodeAt(21) - ZERO;
  const ones = text.charCodeAt(22) - ZERO;
  const areDigits = isDigit(hundreds) && isDigit(tens) && isDigit(ones);
  return areDigits && text.charAt(19) === '.' && text.charAt(23) === 'Z' ? 100 * hundreds + 10 * tens + ones : -1;
}

const ZERO = 0x30;
const isDigit = (value: number): boolean => value >= 0 && value <= 9;

/** Without the days that not every month has, and without 24:00, which `Date` takes for another day. */
const PLAIN_TRACE_TIME = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T(?:[01]\d|2[0-3]):\d\d:\d\d\.\d{3}Z$/;

/** Years beyond 9999 and before 0 have a sign and six digits. */
const ISO_TIME =
  /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d{1,3})\d*)?\s*(Z|z|[+-]\d\d(?::?\d\d)?)?$/;

/** Epoch milliseconds of an ISO 8601 time (UTC where it names no offset), or `undefined` where it is none. */
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
