import { COMMAND_DETECTORS } from './command-values.ts';
import type { Detector } from './detector.ts';
import { holdsUserAndPassword, isCredential, isLiteral, isWordy } from './plausibility.ts';

/** Quotes and a separator between a name and its value, as in headers, assignments and JSON within text. */
const SEPARATOR = String.raw`["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}`;
/** The white space between a scheme's name and its credentials, which may be escaped in JSON text. */
const GAP = String.raw`(?:[ \t+]|%20|\\t){1,8}`;

/** The last letter of a scheme and what follows it. Slashes may be escaped in JSON text. */
const URL_ANCHORS: readonly string[] = ['[A-Za-z0-9+.-]://', '[A-Za-z0-9+.-]:\\/', '[A-Za-z0-9+.-]:\\\\'];

/**
 * Parameters of queries and forms that are secrets if their value looks made by a program. Parameters whose names say
 * secret are found like any other assignment.
 */
const QUERY_NAMES = ['code', 'state', 'key', 'sig', 'signature', 'ticket', 'nonce', 'sid'];
/** The last letters of all these names, and `=`. */
const QUERY_ANCHORS = ['ode=', 'ate=', 'key=', 'sig=', 'ure=', 'ket=', 'nce=', 'sid='];

// Two ampersands in a row are an operator in source code.
const IN_QUERY = String.raw`(?:[?#]|(?<!&)&|&amp;|%3F|%26|\\u0026)(?:x-(?:amz|goog)-)?`;
// A value ends before the punctuation of the surrounding sentence.
const QUERY_VALUE = String.raw`([^\s&"'<>#\\\x60]*[^\s&"'<>#\\\x60.,;:)\]}])`;

/** Detects secrets in URL queries and form-encoded bodies. */
const QUERY_DETECTORS: readonly Detector[] = [
  {
    kind: 'query-value',
    anchors: QUERY_ANCHORS,
    lead: -3,
    pattern: new RegExp(`(?<=(?:^|${IN_QUERY})(?:${QUERY_NAMES.join('|')}))=${QUERY_VALUE}`, 'diy'),
    hint: new RegExp(`(?<=${QUERY_NAMES.join('|')})=[^\\s&"'<>#]{12}`, 'iy'),
    anywhere: true,
    byContext: true,
    accepts: isMadeValue,
  },
];

/** Detects secrets by the text before them. */
export const CONTEXT_DETECTORS: readonly Detector[] = [
  {
    kind: 'bearer-token',
    anchors: ['[Bb]ear', 'BEAR'],
    pattern: new RegExp(String.raw`bearer${GAP}([\w.~+/=-]{5,}[\w~+/=-])`, 'diy'),
    hint: new RegExp(String.raw`bearer${GAP}[\w.~+/=\\-]{6}`, 'iy'),
    byContext: true,
    accepts: isCredential,
  },
  {
    kind: 'basic-credentials',
    anchors: ['[Bb]asi', 'BASI'],
    pattern: new RegExp(`basic${GAP}([A-Za-z0-9+/_-]{4,}={0,2})`, 'diy'),
    hint: new RegExp(String.raw`basic${GAP}[\w+/=\\-]{4}`, 'iy'),
    byContext: true,
    accepts: (secret, text, at) => holdsUserAndPassword(secret) || followsAuthorization(text, at, secret),
  },
  {
    kind: 'authorization',
    anchors: ['[Ii][Zz][Aa][Tt]'],
    lead: 6,
    pattern: new RegExp(
      `authorization${SEPARATOR}(?!bearer|basic)(?:[A-Za-z]{2,12}[ \\t]{1,4})?([\\w.~+/=-]{7,}[\\w~+/=-])`,
      'diy',
    ),
    hint: new RegExp(`authorization${SEPARATOR}[\\w\\\\]`, 'iy'),
    anywhere: true,
    byContext: true,
    accepts: (secret) => isCredential(secret) && !isWordy(secret),
  },
  {
    kind: 'url-password',
    anchors: URL_ANCHORS,
    lead: -1,
    pattern: /:\/\/[^\s"'<>\\/@:?#]{0,256}:([^\s"'<>\\/?#]{1,256})@(?=[A-Za-z0-9[])/dy,
    hint: /:(?:\\*\/){2}[^\s"'<>\\/@:?#]{0,256}:[^\s"'<>/?#]{1,256}@/y,
    anywhere: true,
    byContext: true,
    accepts: (secret) => isLiteral(secret) && !/^\d{1,5}$/.test(secret),
  },
  {
    // A token in the place of a user, as in addresses of repositories and of error trackers.
    kind: 'url-user',
    anchors: URL_ANCHORS,
    lead: -1,
    pattern: /:\/\/([A-Za-z0-9_-]{16,256})@(?=[A-Za-z0-9[])/dy,
    hint: /:(?:\\*\/){2}[A-Za-z0-9_-]{16,256}@/y,
    anywhere: true,
    byContext: true,
    accepts: (secret) => /\d/.test(secret) && !isWordy(secret),
  },
  ...QUERY_DETECTORS,
  ...COMMAND_DETECTORS,
];

/** Returns whether the scheme at `at` directly follows an `Authorization` name. */
function followsAuthorization(text: string, at: number, secret: string): boolean {
  return /authorization\W{1,12}$/i.test(text.slice(Math.max(0, at - 32), at)) && !/^[a-z]+$/i.test(secret);
}

/** Returns whether a program made the value of a parameter whose name is also an ordinary word (`?state=open`). */
function isMadeValue(value: string): boolean {
  if (value.length < 12 || !isLiteral(value)) return false;
  return /\d/.test(value) && !/^[\d.,:+-]+$/.test(value) && !isWordy(value);
}
