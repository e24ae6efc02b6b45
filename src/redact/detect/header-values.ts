import { strengthOfName } from '../names/secret-names.ts';
import { kindOfName } from '../placeholder.ts';
import { type DetectedSpan, RANK } from './detector.ts';
import { isLiteral, isWritten } from './plausibility.ts';

/** The beginning of a value says whether it is masked. */
const MAX_LOOK = 256;

/** The authentication scheme before the credential in a header's value. */
export const SCHEME: RegExp =
  /^(?:bearer|basic|digest|negotiate|ntlm|token|apikey|dpop|hoba|hawk|mutual|oauth|aws4-hmac-sha256|sharedkey)\s+/i;

/**
 * Returns whether a header's name makes its value a secret. Headers that copy a tool's arguments are checked by their
 * content, like the arguments.
 */
export function isSecretHeader(name: string): boolean {
  const strength = strengthOfName(name);
  if (strength === undefined || /^(?:mcp-param-|sec-websocket-)/i.test(name)) return false;
  return strength !== 'weak' || /(?:key|\bauth)$/i.test(name);
}

/** Returns whether a header's value links exchanges with each other, as message ids do. */
export function isLinkHeader(name: string): boolean {
  return /^(?:mcp-session-id|last-event-id)$/i.test(name);
}

/** Headers that tell how to read a message, and their form. */
const FRAME_HEADERS: ReadonlyMap<string, RegExp> = new Map([
  ['mcp-protocol-version', /^\d{4}-\d\d-\d\d$/],
  ['mcp-method', /^[a-z]{1,20}(?:\/[a-z_]{1,20}){0,3}$/i],
  ['content-type', /^[a-z]{1,20}\/[a-z.+-]{1,40}(?:; ?charset=[\w-]{1,12})?$/i],
  ['content-encoding', /^[a-z]{1,10}(?:, ?[a-z]{1,10}){0,3}$/i],
  ['content-length', /^\d{1,12}$/],
]);

/** Returns whether a header's value belongs to the frame of a message, so that no rule applies to it. */
export function isFrameHeader(name: string, value: string): boolean {
  return value.length <= MAX_FRAME_HEADER && FRAME_HEADERS.get(name.toLowerCase())?.test(value) === true;
}

const MAX_FRAME_HEADER = 80;

/** Finds the parts of a header's value to redact. Schemes, cookie names and attributes stay. */
export function findInHeader(name: string, value: string): readonly DetectedSpan[] {
  const header = name.toLowerCase();
  if (header === 'cookie' || header === 'set-cookie') return cookieValues(value);
  const isAuthorization = header.endsWith('authorization');
  const scheme = isAuthorization ? (SCHEME.exec(value)?.[0] ?? '') : '';
  if (value.length === scheme.length || !isWritten(value.slice(scheme.length, MAX_LOOK))) return [];
  const kind = isAuthorization ? kindOfScheme(scheme) : kindOfName(name);
  return [{ start: scheme.length, end: value.length, kind, rank: RANK.context }];
}

function kindOfScheme(scheme: string): string {
  switch (scheme.trim().toLowerCase()) {
    case 'bearer':
      return 'bearer-token';
    case 'basic':
      return 'basic-credentials';
    default:
      return 'authorization';
  }
}

/** The cookies of a longer header are looked at in part. */
const MAX_COOKIES = 1 << 13;

/** Matches a cookie's name and the equals sign. Other text before an equals sign is part of a value. */
const COOKIE_NAME = /^\s{0,8}[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}=/;
/** What a server says about a cookie. It is never a secret. */
const ATTRIBUTE =
  /^\s{0,8}(?:(?:path|domain|max-age|expires|samesite|priority|version|comment)\s{0,4}=|(?:secure|httponly|partitioned)\s*$)/i;

/** Finds the values in a cookie header. */
function cookieValues(value: string, isSecret: (value: string) => boolean = isWritten): DetectedSpan[] {
  const findings: DetectedSpan[] = [];
  let at = 0;
  // Servers join several cookies with commas, which also occur in dates.
  for (const pair of value.split(/;|,(?=\s{0,8}[\w.-]{1,256}=)/)) {
    const first = pair.search(/\S/);
    const name = COOKIE_NAME.exec(pair)?.[0] ?? '';
    const start = at + (name === '' ? Math.max(first, 0) : name.length);
    const end = at + pair.trimEnd().length;
    if (end > start && !ATTRIBUTE.test(pair) && isSecret(value.slice(start, Math.min(end, start + MAX_LOOK))))
      findings.push({ start, end, kind: 'cookie', rank: RANK.context });
    at += pair.length + 1;
  }
  return findings;
}

/** A header's name and what separates it from the first cookie: `Cookie: `, `"set-cookie":"`, `'Set-Cookie' => '`. */
const COOKIE_HEADER =
  /cookie(?:(\\{0,16}["'`])?\s{0,4}(?::|=>)\s{0,4}|(\\{0,16}["'`]),\s{0,4})(?:\[\s{0,4})?(\\{0,16}["'`])?/iy;
/** A name, an equals sign and the beginning of a value. */
const FIRST_COOKIE = /[^\s=;"'`\\,]{1,128}=[^\s;"'`\\]/y;

/** The offset up to which `cookiesInText` has looked. */
export interface CookieProgress {
  end: number;
}

/** Finds the cookies in a text, given the offset of `cookie`. */
export function cookiesInText(text: string, at: number, progress: CookieProgress): readonly DetectedSpan[] {
  if (at < progress.end) return [];
  COOKIE_HEADER.lastIndex = at;
  const header = COOKIE_HEADER.exec(text);
  if (header === null) return [];
  const from = COOKIE_HEADER.lastIndex;
  FIRST_COOKIE.lastIndex = from;
  if (!FIRST_COOKIE.test(text)) return [];
  const whole = text.slice(from, from + MAX_COOKIES);
  const opening = header[3] ?? (header[1] === undefined ? quoteBefore(text, at) : undefined);
  const end = whole.search(opening === undefined ? /[\r\n"\\]/ : endOfQuoted(opening));
  const value = end < 0 ? whole : whole.slice(0, end);
  progress.end = from + value.length;
  return cookieValues(value, isLiteral).map((found) => ({
    ...found,
    start: found.start + from,
    end: found.end + from,
  }));
}

/** The quote that a whole header begins with, as in `-H 'Cookie: a=b'`. */
function quoteBefore(text: string, at: number): string | undefined {
  return /["'`](?=(?:set-)?$)/i.exec(text.slice(Math.max(0, at - 5), at))?.[0];
}

function endOfQuoted(opening: string): RegExp {
  const mark = opening.slice(-1);
  return mark === "'" ? /[\r\n'\\]/ : mark === '`' ? /[\r\n`\\]/ : /[\r\n"\\]/;
}

/** Returns whether a cookie header's name ends at `end`. Its values are found one by one. */
export function beginsCookies(name: string, text: string, end: number): boolean {
  return /^(?:set-)?cookie$/i.test(name) && BEFORE_COOKIE.test(text.slice(end, end + 128));
}

/** A separator and the name of a cookie. */
const BEFORE_COOKIE = /^[\\"'`]*\s*(?::|=>|,)[\\"'`\s]*[\w.-]{1,64}=[^=\s]/;
