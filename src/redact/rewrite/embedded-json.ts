import { scanValue, type TextSpan } from '../../json/scan.ts';
import { COST, type WorkBudget } from '../work-budget.ts';

/** An object or array, and its first key or element. */
const BEGINNING = /[{[]\s{0,64}(?:\{\s{0,64})?"/g;
/**
 * What only the structure of a document tells: pairs of a name and a value, lists and objects under the name of a secret,
 * arguments, headers, manifests and keys. Other secrets are found without it.
 */
const STRUCTURE =
  /"(?:kind|kty|(?:secret|parameter|default|output)?value|args|argv|command|default|\w{0,24}headers?)"\s{0,8}:|(?:pass|secret|token|key|cred|auth)\w{0,24}"\s{0,8}(?:,|:\s{0,64}[[{\n])/i;
/** All searches in a text may read so many times its length. */
const MAX_READINGS = 4;

/** Finds the JSON documents within a text whose structure may say what is a secret. */
export function* documentsIn(text: string, budget: WorkBudget): Generator<TextSpan> {
  if (!STRUCTURE.test(text)) return;
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
    if (end > 0 && STRUCTURE.test(text.slice(start, end))) yield { start, end };
  }
}
