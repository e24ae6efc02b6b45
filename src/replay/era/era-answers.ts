import { removeAt, sliceAt, spliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';

/** The members of results that were added in 2026-07-28. */
export const MODERN_PLACES: ReadonlySet<string> = new Set([
  '$.result.resultType',
  '$.result.ttlMs',
  '$.result.cacheScope',
]);

/**
 * Puts the target's capabilities and instructions into the recorded response. `initialize` and `server/discover` share
 * only these two members; the rest differs by design.
 */
export function asServerFacts(recorded: JsonText | undefined, live: JsonText): JsonText {
  if (recorded === undefined || sliceAt(recorded, ['result']) === undefined) return live;
  return ['capabilities', 'instructions'].reduce((text, key) => {
    const value = sliceAt(live, ['result', key]);
    const changed = value === undefined ? removeAt(text, ['result', key]) : spliceAt(text, ['result', key], value);
    return changed ?? text;
  }, recorded);
}
