import { strengthOfName } from '../names/secret-names.ts';
import { kindOfName } from '../placeholder.ts';
import { type DetectedSpan, RANK } from './detector.ts';
import { isWritten } from './plausibility.ts';

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
  return strength !== 'weak' || /key$/i.test(name);
}

/** Returns whether a header's value links exchanges with each other, as message ids do. */
export function isLinkHeader(name: string): boolean {
  return /^(?:mcp-session-id|last-event-id)$/i.test(name);
}

/** Finds the parts of a header's value to redact. Schemes, cookie names and attributes stay. */
export function findInHeader(name: string, value: string): readonly DetectedSpan[] {
  const header = name.toLowerCase();
  if (header === 'cookie') return cookieValues(value);
  if (header === 'set-cookie') return cookieValues(value).slice(0, 1);
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

/** Matches a cookie's name and the equals sign. Other text before an equals sign is part of a value. */
const COOKIE_NAME = /^\s{0,8}[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}=/;

function cookieValues(value: string): DetectedSpan[] {
  const findings: DetectedSpan[] = [];
  let at = 0;
  for (const pair of value.split(';')) {
    const first = pair.search(/\S/);
    const name = COOKIE_NAME.exec(pair)?.[0] ?? '';
    const start = at + (name === '' ? Math.max(first, 0) : name.length);
    const end = at + pair.trimEnd().length;
    if (end > start && isWritten(value.slice(start, Math.min(end, start + MAX_LOOK))))
      findings.push({ start, end, kind: 'cookie', rank: RANK.context });
    at += pair.length + 1;
  }
  return findings;
}
