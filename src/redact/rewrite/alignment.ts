import { PLACEHOLDERS } from '../placeholder.ts';
import type { TextEdit } from './edits.ts';

/**
 * The edits that make a redacted text of what it was before: what stands between two placeholders of the one stands in
 * the same order in the other. One edit over all that differs, where that does not hold.
 */
export function editsBetween(before: string, after: string): readonly TextEdit[] {
  const placeholders = [...after.matchAll(PLACEHOLDERS)];
  const edits: TextEdit[] = [];
  // So far the texts are told up to here.
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

/** The last edit reaches up to where the texts are the same again. */
function closeLast(edits: TextEdit[], end: number): void {
  const last = edits.pop();
  if (last !== undefined) edits.push({ ...last, end });
}

function wholeEdit(before: string, after: string): TextEdit {
  return { start: 0, end: before.length, text: after };
}
