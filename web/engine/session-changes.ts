import { pretty } from '../../src/json/layout.ts';
import { type DiffLine, diffLines, withContext } from '../../src/json/line-diff.ts';
import type { EntryKey } from './entry-key.ts';
import type { Film } from './film.ts';

/** What was done to a message. */
export interface ChangeFacts {
  readonly key: EntryKey;
  /** What was seen against what was sent, where both are known; `undefined` in it stands for what is left out. */
  readonly lines: readonly (DiffLine | undefined)[] | undefined;
  readonly isTooLong: boolean;
}

const CONTEXT = 3;
/** Longer texts are not laid out twice only to be compared. */
const LONGEST_COMPARED = 1 << 21;

export function changeOf(film: Film, key: EntryKey): ChangeFacts | undefined {
  const entry = film.entry(key);
  if (entry?.kind !== 'message') return undefined;
  const { text, original, sentText, modified } = entry;
  const seen = original ?? text;
  const sent = sentText ?? text;
  if (!modified && sentText === undefined) return { key, lines: undefined, isTooLong: false };
  if (seen.length + sent.length > LONGEST_COMPARED) return { key, lines: undefined, isTooLong: true };
  const lines = diffLines(pretty(seen).split('\n'), pretty(sent).split('\n'));
  return { key, lines: withContext(lines, CONTEXT), isTooLong: false };
}
