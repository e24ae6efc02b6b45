import { recordOf, type WrapRecord } from './entry-edit.ts';
import { type ServerEntry, wordsOf } from './server-entry.ts';
import { readWrapping } from './wrapping.ts';

/**
 * How an entry stands to the recorder: `plain` can be wrapped, `wrapped` was wrapped by us, `by-hand` by somebody else,
 * `http` and `other` cannot be.
 */
export type EntryState = 'plain' | 'wrapped' | 'by-hand' | 'http' | 'other';

export function stateOf(entry: ServerEntry, records: readonly WrapRecord[]): EntryState {
  if (entry.kind !== 'stdio') return entry.kind;
  const wrapping = readWrapping(wordsOf(entry));
  if (wrapping === undefined) return 'plain';
  const isOurs = wrapping.isOurs || (wrapping.serverAt !== undefined && recordOf(records, entry) !== undefined);
  return isOurs ? 'wrapped' : 'by-hand';
}
