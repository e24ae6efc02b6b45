import type { Detector } from './detector.ts';
import { isOpaque } from './plausibility.ts';

/** Parameters that hold nothing but secrets, also where they stand alone in a log. */
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
/** Parameters that are secrets in a query or in a form. */
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
/** Secrets of OAuth, and ordinary words elsewhere (`?state=open`). */
const OAUTH_VALUES = ['code', 'state'];

/** The last two letters of all these names, `=`, and how a value may begin. */
const ANCHORS = ['en', 'et', 'on', 'er', 'de', 'te', 'ey', 're', 'rd', 'wd'].map((end) => `${end}=[A-Za-z0-9%_.~/+-]`);

// Two in a row are an operator of a language.
const IN_QUERY = String.raw`(?:[?#]|(?<!&)&|&amp;|%3F|%26|\\u0026)`;
const IN_FORM = `(?:^|${IN_QUERY})`;
const ON_ITS_OWN = String.raw`[\s"'\x60(,{[;]`;
// A value ends before the punctuation of the sentence that it stands in.
const VALUE = String.raw`(?![<{$])([^\s&"'<>#\\\x60]*[^\s&"'<>#\\\x60.,;:)\]}])`;

const FORM_NAMES = [...PLAIN_SECRETS, ...QUERY_SECRETS, ...OAUTH_VALUES].join('|');
const PLAIN_NAMES = PLAIN_SECRETS.join('|');
const NAME = `(?<=${IN_FORM}(?:${FORM_NAMES})|${ON_ITS_OWN}(?:${PLAIN_NAMES}))`;

/** Secrets in the queries of URLs and in form-encoded bodies. */
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

/** Whether a value is a secret under the name that ends at `at`. */
function isSecretValue(value: string, text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_NAME), at);
  if (ENDS_ON_ITS_OWN.test(before)) return isOpaque(value);
  return !ENDS_WITH_OAUTH_NAME.test(before) || isOAuthValue(value, text, at);
}

/** How far around a value its companion is looked for. */
const NEAR = 256;

/** Whether `code` or `state` is OAuth's: the value is no plain word or short number, or the two stand together. */
function isOAuthValue(value: string, text: string, at: number): boolean {
  if (!/^(?:[a-z_-]{1,16}|\d{1,6})$/i.test(value)) return true;
  const deps = text.slice(Math.max(0, at - NEAR), at + NEAR);
  return /(?:^|[?&#])code=/.test(deps) && /(?:^|[?&#])state=/.test(deps);
}
