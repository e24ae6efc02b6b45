import { pretty } from '../../../src/json/layout.ts';
import { type DiffLine, diffLines, withContext } from '../../../src/json/line-diff.ts';
import type { EntryKey } from '../entry-key.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** A line diff between the received and the forwarded message; `undefined` stands for omitted lines. */
export type ChangeFacts = { readonly lines: readonly (DiffLine | undefined)[] } | { readonly isTooLong: true };

const CONTEXT = 3;
/** Longer texts are not compared, because that requires formatting both of them. */
const MAX_COMPARED = 1 << 21;

/** The changes to a message before it was forwarded; `undefined` if it is unchanged or they are unknown. */
export function changeOf(timeline: Timeline, key: EntryKey): ChangeFacts | undefined {
  const entry = timeline.entry(key);
  if (entry?.kind !== 'message') return undefined;
  const { text, original, sentText = text, modified } = entry;
  const seen = entry.sentText === undefined ? (modified ? original : undefined) : (original ?? text);
  if (seen === undefined) return undefined;
  if (seen.length + sentText.length > MAX_COMPARED) return { isTooLong: true };
  const lines = diffLines(pretty(seen).split('\n'), pretty(sentText).split('\n'));
  return { lines: withContext(lines, CONTEXT) };
}
