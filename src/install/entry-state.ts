import { recordOf, type WrapRecord } from './entry-edit.ts';
import { type ServerEntry, wordsOf } from './server-entry.ts';
import { readWrapping } from './wrapping.ts';

/**
 * The state of an entry. `plain` can be wrapped, `wrapped` was wrapped by `mcpreel install`, `by-hand` was wrapped by
 * the user, and `http` and `other` cannot be wrapped.
 */
export type EntryState = 'plain' | 'wrapped' | 'by-hand' | 'http' | 'other';

export function stateOf(entry: ServerEntry, records: readonly WrapRecord[]): EntryState {
  if (entry.kind !== 'stdio') return entry.kind;
  const wrapping = readWrapping(wordsOf(entry));
  if (wrapping === undefined) return 'plain';
  const isOurs = wrapping.isOurs || (wrapping.serverAt !== undefined && recordOf(records, entry) !== undefined);
  return isOurs ? 'wrapped' : 'by-hand';
}
