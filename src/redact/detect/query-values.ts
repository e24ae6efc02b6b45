import type { Detector } from './detector.ts';
import { isLiteral, isWordy } from './plausibility.ts';

/**
 * Parameters of queries and forms that are secrets if their value looks made by a program. Parameters whose names say
 * secret are found like any other assignment.
 */
const NAMES = ['code', 'state', 'key', 'sig', 'signature', 'ticket', 'nonce', 'sid'];
/** The last letters of all these names, and `=`. */
const ANCHORS = ['ode=', 'ate=', 'key=', 'sig=', 'ure=', 'ket=', 'nce=', 'sid='];

// Two ampersands in a row are an operator in source code.
const IN_QUERY = String.raw`(?:[?#]|(?<!&)&|&amp;|%3F|%26|\\u0026)(?:x-(?:amz|goog)-)?`;
// A value ends before the punctuation of the surrounding sentence.
const VALUE = String.raw`([^\s&"'<>#\\\x60]*[^\s&"'<>#\\\x60.,;:)\]}])`;

/** Detects secrets in URL queries and form-encoded bodies. */
export const QUERY_DETECTORS: readonly Detector[] = [
  {
    kind: 'query-value',
    anchors: ANCHORS,
    lead: -3,
    pattern: new RegExp(`(?<=(?:^|${IN_QUERY})(?:${NAMES.join('|')}))=${VALUE}`, 'diy'),
    hint: new RegExp(`(?<=${NAMES.join('|')})=[^\\s&"'<>#]{12}`, 'iy'),
    anywhere: true,
    byContext: true,
    accepts: isMadeValue,
  },
];

/** Returns whether a program made the value of a parameter whose name is also an ordinary word (`?state=open`). */
function isMadeValue(value: string): boolean {
  if (value.length < 12 || !isLiteral(value)) return false;
  return /\d/.test(value) && !/^[\d.,:+-]+$/.test(value) && !isWordy(value);
}
