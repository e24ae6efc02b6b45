import { COMMAND_DETECTORS } from './command-values.ts';
import type { Detector } from './detector.ts';
import { holdsUserAndPassword, isCredential, isLiteral, isWordy } from './plausibility.ts';
import { QUERY_DETECTORS } from './query-values.ts';

/** Quotes and a separator between a name and its value, as in headers, assignments and JSON within text. */
const SEPARATOR = String.raw`["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}`;
/** The white space between a scheme's name and its credentials, which may be escaped in JSON text. */
const GAP = String.raw`(?:[ \t+]|%20|\\t){1,8}`;

/** The last letter of a scheme and what follows it. Slashes may be escaped in JSON text. */
const URL_ANCHORS: readonly string[] = ['[A-Za-z0-9+.-]://', '[A-Za-z0-9+.-]:\\/', '[A-Za-z0-9+.-]:\\\\'];

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
