import { PLACEHOLDERS } from '../placeholder.ts';
import type { TextEdit } from './edits.ts';

/**
 * Computes the edits that turn a text into its redacted version. The text between placeholders must occur in the same
 * order in both versions. Otherwise a single edit replaces the whole text.
 */
export function editsBetween(before: string, after: string): readonly TextEdit[] {
  const placeholders = [...after.matchAll(PLACEHOLDERS)];
  const edits: TextEdit[] = [];
  // The offsets up to which both texts are aligned.
  let inBefore = 0;
  let inAfter = 0;
  for (const [index, placeholder] of placeholders.entries()) {
    const from = inAfter;
    const kept = after.slice(from, placeholder.index);
    const at = index === 0 ? (before.startsWith(kept) ? 0 : -1) : before.indexOf(kept, inBefore);
    if (at < 0) return [wholeEdit(before, after)];
    closeLast(edits, at);
    inBefore = at + kept.length;
    inAfter = placeholder.index + placeholder[0].length;
    edits.push({ start: inBefore, end: inBefore, text: placeholder[0] });
  }
  const rest = after.slice(inAfter);
  const at = before.length - rest.length;
  if (at < inBefore || !before.endsWith(rest)) return before === after ? [] : [wholeEdit(before, after)];
  closeLast(edits, at);
  return edits;
}

/** Extends the last edit to where the texts are equal again. */
function closeLast(edits: TextEdit[], end: number): void {
  const last = edits.pop();
  if (last !== undefined) edits.push({ ...last, end });
}

function wholeEdit(before: string, after: string): TextEdit {
  return { start: 0, end: before.length, text: after };
}
