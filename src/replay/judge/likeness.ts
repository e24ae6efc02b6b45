import { withoutSalt, withoutTimes } from '../../analysis/diff/volatile.ts';
import { decodeString } from '../../json/scan.ts';
import type { JsonText } from '../../model/entry.ts';
import { DETECTORS } from '../../redact/detect/detectors.ts';
import { placeholderKind } from '../../redact/placeholder.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** A time of day to the second, as people write it. */
const TIME_OF_DAY = /(?<![\d:])\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:\s?[AP]M)?(?![\d:])/gi;

/** What is below the folders that systems keep for temporary files, up to the first name that says what it is. */
const TEMPORARY =
  /(?:\/private)?(?:\/(?:var\/)?tmp\/|\/var\/folders\/[^/\s"']+\/[^/\s"']+\/T\/|[A-Z]:\\(?:Users\\[^\\\s"']+\\AppData\\Local|Windows)\\Temp\\)[^/\\\s"']+/gi;

/** Whether two values are of a kind that is made up anew each time: the same but for UUIDs, times and temporary paths. */
export function isAlike(recorded: JsonText, replayed: JsonText): boolean {
  if (!recorded.startsWith('"') || !replayed.startsWith('"')) return false;
  return likeness(decodeString(recorded)) === likeness(decodeString(replayed));
}

function likeness(text: string): string {
  return withoutTimes(withoutSalt(text))
    .replaceAll(TIME_OF_DAY, '<time>')
    .replaceAll(UUID, '<uuid>')
    .replaceAll(TEMPORARY, '<temporary>');
}

const KNOWN_KINDS: ReadonlySet<string> = new Set(DETECTORS.map(({ kind }) => kind));

/**
 * Whether a recorded placeholder hides what a rule of the user's removed, which a recording does not tell: it stands for
 * any value. One of our own rules would have removed the new value too.
 */
export function hidesAnything(recorded: JsonText): boolean {
  const kind = recorded.startsWith('"') ? placeholderKind(decodeString(recorded)) : undefined;
  return kind !== undefined && !KNOWN_KINDS.has(kind);
}
