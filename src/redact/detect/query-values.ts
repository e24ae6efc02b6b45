import type { Detector } from './detector.ts';
import { isOpaque } from './plausibility.ts';

/** Parameters that only contain secrets, even outside a query, for example in a log. */
const PLAIN_SECRETS = [
  'access_token',
  'refresh_token',
  'id_token',
  'auth_token',
  'session_token',
  'client_secret',
  'client_assertion',
  'code_verifier',
  'device_code',
  'api_key',
  'api-key',
  'apikey',
];
/** Parameters that are secrets in a query or form. */
const QUERY_SECRETS = [
  'token',
  'assertion',
  'password',
  'passwd',
  'secret',
  'x-amz-signature',
  'x-amz-security-token',
  'x-goog-signature',
];
/** Secrets in OAuth, but ordinary words elsewhere (`?state=open`). */
const OAUTH_VALUES = ['code', 'state'];

/** The last two letters of all these names, `=`, and the first character of a value. */
const ANCHORS = ['en', 'et', 'on', 'er', 'de', 'te', 'ey', 're', 'rd', 'wd'].map((end) => `${end}=[A-Za-z0-9%_.~/+-]`);

// Two ampersands in a row are an operator in source code.
const IN_QUERY = String.raw`(?:[?#]|(?<!&)&|&amp;|%3F|%26|\\u0026)`;
const IN_FORM = `(?:^|${IN_QUERY})`;
const ON_ITS_OWN = String.raw`[\s"'\x60(,{[;]`;
// A value ends before the punctuation of the surrounding sentence.
const VALUE = String.raw`(?![<{$])([^\s&"'<>#\\\x60]*[^\s&"'<>#\\\x60.,;:)\]}])`;

const FORM_NAMES = [...PLAIN_SECRETS, ...QUERY_SECRETS, ...OAUTH_VALUES].join('|');
const PLAIN_NAMES = PLAIN_SECRETS.join('|');
const NAME = `(?<=${IN_FORM}(?:${FORM_NAMES})|${ON_ITS_OWN}(?:${PLAIN_NAMES}))`;

/** Detects secrets in URL queries and form-encoded bodies. */
export const QUERY_DETECTORS: readonly Detector[] = [
  {
    kind: 'query-value',
    anchors: ANCHORS,
    lead: -2,
    pattern: new RegExp(`${NAME}=${VALUE}`, 'diy'),
    hint: new RegExp(`(?<=${FORM_NAMES})=[^\\s&"'<>#]`, 'iy'),
    anywhere: true,
    byContext: true,
    accepts: isSecretValue,
  },
  {
    kind: 'query-value',
    anchors: ['ig=[A-Za-z0-9%]'],
    lead: -2,
    pattern: new RegExp(`(?<=${IN_QUERY}sig)=([A-Za-z0-9%+/_-]{40,}=?)`, 'dy'),
    hint: /(?<=sig)=/y,
    anywhere: true,
    byContext: true,
  },
];

const MAX_NAME = 32;
const ENDS_ON_ITS_OWN = new RegExp(`${ON_ITS_OWN}(?:${PLAIN_NAMES})$`, 'i');
const ENDS_WITH_OAUTH_NAME = new RegExp(`${IN_FORM}(?:${OAUTH_VALUES.join('|')})$`, 'i');

/** Returns whether a value is a secret under the name that ends at `at`. */
function isSecretValue(value: string, text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_NAME), at);
  if (ENDS_ON_ITS_OWN.test(before)) return isOpaque(value);
  return !ENDS_WITH_OAUTH_NAME.test(before) || isOAuthValue(value, text, at);
}

/** The distance from a value within which its counterpart is searched for. */
const NEAR = 256;

/**
 * Returns whether `code` or `state` belongs to OAuth: its value is not a plain word or short number, or both parameters
 * occur together.
 */
function isOAuthValue(value: string, text: string, at: number): boolean {
  if (!/^(?:[a-z_-]{1,16}|\d{1,6})$/i.test(value)) return true;
  const nearby = text.slice(Math.max(0, at - NEAR), at + NEAR);
  return /(?:^|[?&#])code=/.test(nearby) && /(?:^|[?&#])state=/.test(nearby);
}
