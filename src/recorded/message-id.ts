import type { TextSpan } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { idAt, withIdAt } from '../protocol/id-splice.ts';

/** The exact text of a message's id. The message must be valid JSON. */
export function idOf(text: JsonText): JsonText | undefined {
  const span = outermostId(text);
  return span === undefined ? idAt(text, 'id') : text.slice(span.start, span.end);
}

/** The message with its id replaced. The message must be valid JSON. */
export function withId(text: JsonText, id: JsonText): JsonText {
  const span = outermostId(text);
  return span === undefined ? withIdAt(text, 'id', id) : text.slice(0, span.start) + id + text.slice(span.end);
}

/** Whether two messages are identical character by character except for their ids. Both must be valid JSON. */
export function isSameButForId(a: JsonText, b: JsonText): boolean {
  const [idOfA, idOfB] = [outermostId(a), outermostId(b)];
  if (idOfA === undefined || idOfB === undefined) return withId(b, idOf(a) ?? '0') === a;
  // Comparing slices copies nothing.
  return a.slice(0, idOfA.start) === b.slice(0, idOfB.start) && a.slice(idOfA.end) === b.slice(idOfB.end);
}

const KEY = '"id":';
const HEAD = '{"jsonrpc":"2.0",';
const PLAIN_ID = /(?:0|[1-9]\d{0,14}|"[\w-]*")(?=[,}])/y;

/**
 * Finds the id where nearly all peers write it: as the last member, or as the second and only one of that name. Any
 * other message needs a full scan.
 */
function outermostId(text: JsonText): TextSpan | undefined {
  const at = text.lastIndexOf(KEY);
  PLAIN_ID.lastIndex = at + KEY.length;
  if (at < 1 || !PLAIN_ID.test(text)) return undefined;
  const span = { start: at + KEY.length, end: PLAIN_ID.lastIndex };
  const isLast = span.end === text.length - 1 && text.charAt(at - 1) === ',';
  return isLast || (at === HEAD.length && text.startsWith(HEAD)) ? span : undefined;
}
