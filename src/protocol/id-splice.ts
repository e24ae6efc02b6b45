import { locate } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

export type IdPlace =
  | 'id'
  | 'wantedProgress'
  | 'reportedProgress'
  | 'cancelled'
  | 'notifiedSubscription'
  | 'answeredSubscription';

/** The places of a message where an id can stand that another message refers to. */
const PLACES: Readonly<Record<IdPlace, readonly string[]>> = {
  /** Of a request, and of the response to it. */
  id: ['id'],
  /** The token under which a request wants to hear of its progress. */
  wantedProgress: ['params', '_meta', 'progressToken'],
  /** The same token in `notifications/progress`. */
  reportedProgress: ['params', 'progressToken'],
  /** The request that `notifications/cancelled` ends. */
  cancelled: ['params', 'requestId'],
  /** The id of the `subscriptions/listen` request for which a notification was sent. */
  notifiedSubscription: ['params', '_meta', SUBSCRIPTION_KEY],
  /** The same in a result. */
  answeredSubscription: ['result', '_meta', SUBSCRIPTION_KEY],
};

/** The exact text of the id at a place, `undefined` where no string or number stands there. */
export function idAt(text: JsonText, place: IdPlace): JsonText | undefined {
  const span = spanOf(text, place);
  return span && text.slice(span.start, span.end);
}

/** The message with another id, given as its exact text, in place of the one that stands there; else it is unchanged. */
export function withIdAt(text: JsonText, place: IdPlace, id: JsonText): JsonText {
  const span = spanOf(text, place);
  return span === undefined ? text : text.slice(0, span.start) + id + text.slice(span.end);
}

function spanOf(text: JsonText, place: IdPlace): ReturnType<typeof locate> {
  const path = PLACES[place];
  if (!mayHold(text, path.at(-1) ?? '')) return undefined;
  const span = locate(text, path);
  return span !== undefined && /["\-\d]/.test(text.charAt(span.start)) ? span : undefined;
}

/** Few messages have most of these members, and a search is many times as fast as a scan. */
function mayHold(text: JsonText, key: string): boolean {
  return text.includes(key.slice(key.lastIndexOf('/') + 1)) || text.includes('\\u');
}
