import { scanValue, type TextSpan } from '../../json/scan.ts';
import { COST, type WorkBudget } from '../work-budget.ts';
import type { TextEdit } from './edits.ts';

/** An object or array, and its first key or element. */
const BEGINNING = /[{[]\s{0,64}(?:\{\s{0,64})?"/g;
/**
 * What only the structure of a document tells: pairs of a name and a value, lists and objects under the name of a secret,
 * arguments, headers, manifests and keys. Other secrets are found without it.
 */
const STRUCTURE =
  /"(?:(kind|kty|(?:secret|parameter|default|output)?value|args|argv|command|default|\w{0,24}headers?)"\s{0,8}:|\s{0,8}:\s{0,64}[[{\n])/gi;
const SECRET_NAME = /(?:pass|secret|token|key|cred|auth)\w{0,24}$/i;

/** All searches in a text may read so many times its length. */
const MAX_READINGS = 4;

/** Returns the edits of the JSON documents within a text whose structure may say what is a secret. */
export function editsWithin(
  text: string,
  budget: WorkBudget,
  editsOf: (document: string) => readonly TextEdit[] | undefined,
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (const { start, end } of documentsIn(text, budget)) {
    for (const edit of editsOf(text.slice(start, end)) ?? [])
      edits.push({ ...edit, start: start + edit.start, end: start + edit.end });
  }
  return edits;
}

function* documentsIn(text: string, budget: WorkBudget): Generator<TextSpan> {
  if (!hasStructure(text)) return;
  let left = MAX_READINGS * text.length;
  BEGINNING.lastIndex = 0;
  for (let from = 0; left > 0 && !budget.isSpent; ) {
    BEGINNING.lastIndex = from;
    const start = BEGINNING.exec(text)?.index;
    if (start === undefined) return;
    const end = scanValue(text, start);
    const read = (end < 0 ? ~end : end) - start;
    left -= read;
    budget.spend(COST.look);
    from = end < 0 ? start + 1 : end;
    if (end > 0 && hasStructure(text.slice(start, end))) yield { start, end };
  }
}

function hasStructure(text: string): boolean {
  STRUCTURE.lastIndex = 0;
  for (let found = STRUCTURE.exec(text); found !== null; found = STRUCTURE.exec(text)) {
    if (found[1] !== undefined || SECRET_NAME.test(text.slice(Math.max(0, found.index - 40), found.index))) return true;
  }
  return false;
}
