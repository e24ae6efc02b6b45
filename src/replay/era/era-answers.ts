import { removeAt, sliceAt, spliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';

/** What answers say of themselves since 2026-07-28, and did not before. */
export const MODERN_PLACES: ReadonlySet<string> = new Set([
  '$.result.resultType',
  '$.result.ttlMs',
  '$.result.cacheScope',
]);

/**
 * What a target says of itself, in the form in which the recorded server did: `initialize` and `server/discover` have the
 * capabilities and the instructions in common, and the rest of them is different by nature.
 */
export function asServerFacts(recorded: JsonText | undefined, live: JsonText): JsonText {
  if (recorded === undefined || sliceAt(recorded, ['result']) === undefined) return live;
  return ['capabilities', 'instructions'].reduce((text, key) => {
    const value = sliceAt(live, ['result', key]);
    const changed = value === undefined ? removeAt(text, ['result', key]) : spliceAt(text, ['result', key], value);
    return changed ?? text;
  }, recorded);
}
