import { COMMA, OPEN_BRACE, OPEN_BRACKET } from '../../json/punctuation.ts';
import { scanString, scanValue, skipSpace } from '../../json/scan.ts';
import { passSmallContainer } from '../../json/small-values.ts';
import type { ContainerLevel } from './container-level.ts';

/** Reads in the text of an object or array what decides how its values are redacted. */

/** Members of a JSON Web Key that are secret. */
const JWK_SECRETS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);
const MIN_JWK = 20;
/** How much of an object is searched for the member that names its kind. */
const MAX_SEARCHED = 8192;

/** Returns whether an object is a `ConfigMap`, as far as its first members tell. */
export function isConfigMap(level: ContainerLevel | undefined, text: string): boolean {
  return level !== undefined && /"kind"\s{0,8}:\s{0,8}"(\w{1,40})"/.exec(beginningOf(level, text))?.[1] === 'ConfigMap';
}

/** Returns whether a value is a private part of a JSON Web Key. */
export function isJwkSecret(level: ContainerLevel, value: string, text: string): boolean {
  return (
    level.isObject &&
    JWK_SECRETS.has(level.key) &&
    value.length >= MIN_JWK &&
    /"kty"\s{0,8}:/.test(beginningOf(level, text))
  );
}

function beginningOf({ start }: ContainerLevel, text: string): string {
  return text.slice(start, start + MAX_SEARCHED);
}

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
