import { locate } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';
import { withIdAt } from '../protocol/id-splice.ts';

/** A text in which one span is replaced again and again. */
interface SplitId {
  readonly before: string;
  readonly after: string;
}

const SPLITS = new WeakMap<object, SplitId>();

/**
 * The recorded answer under another id, in the spelling of the client. Where its id stands is looked for once, because most
 * answers are given with nothing else changed.
 */
export function underId(answer: { readonly text: JsonText }, id: JsonText): JsonText {
  let split = SPLITS.get(answer);
  if (split === undefined) {
    split = splitAtId(answer.text);
    SPLITS.set(answer, split);
  }
  return split.after === '' ? answer.text : split.before + id + split.after;
}

/** The id of an answer to a subscription, in its result. */
export function underSubscription(answer: JsonText, id: JsonText): JsonText {
  return withIdAt(answer, 'answeredSubscription', id);
}

function splitAtId(text: JsonText): SplitId {
  const span = locate(text, ['id']);
  // An error that was sent without an id has none.
  if (span === undefined || text.startsWith('null', span.start)) return { before: text, after: '' };
  return { before: text.slice(0, span.start), after: text.slice(span.end) };
}
