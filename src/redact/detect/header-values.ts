import { kindOfName } from '../placeholder.ts';
import { type DetectedSpan, RANK } from './detector.ts';

/** Headers that carry credentials. Copies of a tool's arguments are judged as the arguments are, by what they look like. */
const SECRET_HEADER =
  /^(?!mcp-param-)(?:(?:proxy-)?authorization|(?:set-)?cookie2?|dpop|private-token|job-token|cf-access-jwt-assertion|ocp-apim-subscription-key|x-functions-key|.*(?:auth|access|security|session|csrf|xsrf|refresh|bearer|api|vault|gitlab|github|mcpreel)-?token|.*api-?key|.*secret|.*password)$/i;

/** How the name of each of these ends where it stands in JSON. */
export const SECRET_HEADER_END: RegExp = /(?:authorization|cookie2?|dpop|token|assertion|key|secret|password)\\*"/i;

/** What announces the credential in the value of a header. */
export const SCHEME: RegExp =
  /^(?:bearer|basic|digest|negotiate|ntlm|token|apikey|dpop|hoba|hawk|mutual|oauth|aws4-hmac-sha256|sharedkey)\s+/i;

/** Whether the value of a header is a secret by the header's name. */
export function isSecretHeader(name: string): boolean {
  return name.length <= 64 && SECRET_HEADER.test(name);
}

/** Whether the value of a header links exchanges with each other, as ids of messages do. */
export function isLinkHeader(name: string): boolean {
  return /^(?:mcp-session-id|last-event-id)$/i.test(name);
}

/** What of a header's value has to go. Schemes, names of cookies and attributes stay. */
export function findInHeader(name: string, value: string): readonly DetectedSpan[] {
  const header = name.toLowerCase();
  if (header === 'cookie') return cookieValues(value);
  if (header === 'set-cookie') return cookieValues(value).slice(0, 1);
  const isAuthorization = header.endsWith('authorization');
  const scheme = isAuthorization ? (SCHEME.exec(value)?.[0] ?? '') : '';
  if (value.length === scheme.length) return [];
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

/** The name of a cookie and what follows it. What else stands before an equals sign is part of a value. */
const COOKIE_NAME = /^\s{0,8}[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}=/;

function cookieValues(value: string): DetectedSpan[] {
  const findings: DetectedSpan[] = [];
  let at = 0;
  for (const pair of value.split(';')) {
    const first = pair.search(/\S/);
    const name = COOKIE_NAME.exec(pair)?.[0] ?? '';
    const start = at + (name === '' ? Math.max(first, 0) : name.length);
    const end = at + pair.trimEnd().length;
    if (end > start) findings.push({ start, end, kind: 'cookie', rank: RANK.context });
    at += pair.length + 1;
  }
  return findings;
}
