import type { TextSpan } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { idAt, withIdAt } from '../protocol/id-splice.ts';

/** The exact text of the id of a message, which has to be JSON. */
export function idOf(text: JsonText): JsonText | undefined {
  const span = outermostId(text);
  return span === undefined ? idAt(text, 'id') : text.slice(span.start, span.end);
}

/** The message, which has to be JSON, with this id in place of its own. */
export function withId(text: JsonText, id: JsonText): JsonText {
  const span = outermostId(text);
  return span === undefined ? withIdAt(text, 'id', id) : text.slice(0, span.start) + id + text.slice(span.end);
}

/** Whether two messages, which have to be JSON, are the same character by character, but for their ids. */
export function isSameButForId(a: JsonText, b: JsonText): boolean {
  const [idOfA, idOfB] = [outermostId(a), outermostId(b)];
  if (idOfA === undefined || idOfB === undefined) return withId(b, idOf(a) ?? '0') === a;
  // Nothing is copied for this.
  return a.slice(0, idOfA.start) === b.slice(0, idOfB.start) && a.slice(idOfA.end) === b.slice(idOfB.end);
}

const KEY = '"id":';
const HEAD = '{"jsonrpc":"2.0",';
const PLAIN_ID = /(?:0|[1-9]\d{0,14}|"[\w-]*")(?=[,}])/y;

/**
 * Where the id stands in the messages of nearly all peers: it is the last member of all, or the second and the only one
 * of its name. Everything else wants a look at the whole text.
 */
function outermostId(text: JsonText): TextSpan | undefined {
  const at = text.lastIndexOf(KEY);
  PLAIN_ID.lastIndex = at + KEY.length;
  if (at < 1 || !PLAIN_ID.test(text)) return undefined;
  const span = { start: at + KEY.length, end: PLAIN_ID.lastIndex };
  const isLast = span.end === text.length - 1 && text.charAt(at - 1) === ',';
  return isLast || (at === HEAD.length && text.startsWith(HEAD)) ? span : undefined;
}
