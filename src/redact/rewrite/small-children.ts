import { COMMA, OPEN_BRACE, OPEN_BRACKET } from '../../json/punctuation.ts';
import { scanString, scanValue, skipSpace } from '../../json/scan.ts';
import { passSmallContainer } from '../../json/small-values.ts';

/** At least so much is redacted at once of what is too much to be judged. */
const BLOCK = 4096;
/** Longer values are judged by themselves. */
const MAX_SMALL = 4096;

/** Returns the offset after small children of a container from the one at `at` on, or `at` if that is not small. */
export function endOfSmallChildren(text: string, at: number, inObject: boolean): number {
  let end = at;
  for (let i = at; i < at + BLOCK; i = skipSpace(text, i + 1)) {
    if (inObject) i = skipSpace(text, skipSpace(text, scanString(text, i)) + 1);
    const valueEnd = smallValueEnd(text, i);
    if (valueEnd < 0) break;
    end = valueEnd;
    i = skipSpace(text, end);
    if (text.charCodeAt(i) !== COMMA) break;
  }
  return end;
}

/** The end of a value that is small enough to be redacted without a look, or -1. */
function smallValueEnd(text: string, at: number): number {
  const c = text.charCodeAt(at);
  const end = c === OPEN_BRACE || c === OPEN_BRACKET ? passSmallContainer(text, at) : scanValue(text, at);
  return end - at > MAX_SMALL ? -1 : end;
}
