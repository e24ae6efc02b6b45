import { locate } from '../json/splice.ts';
import type { JsonText } from '../model/entry.ts';

/** Reads and replaces the ids that link messages: request ids, progress tokens and subscription ids. */

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

export type IdPlace =
  | 'id'
  | 'wantedProgress'
  | 'reportedProgress'
  | 'cancelled'
  | 'notifiedSubscription'
  | 'answeredSubscription';

/** The paths in a message at which an id that links it to another message can occur. */
const PLACES: Readonly<Record<IdPlace, readonly string[]>> = {
  /** In a request, and in its response. */
  id: ['id'],
  /** The token with which a request asks for progress notifications. */
  wantedProgress: ['params', '_meta', 'progressToken'],
  /** The same token in `notifications/progress`. */
  reportedProgress: ['params', 'progressToken'],
  /** The request that `notifications/cancelled` cancels. */
  cancelled: ['params', 'requestId'],
  /** The id of the `subscriptions/listen` request that a notification belongs to. */
  notifiedSubscription: ['params', '_meta', SUBSCRIPTION_KEY],
  /** The same id in a result. */
  answeredSubscription: ['result', '_meta', SUBSCRIPTION_KEY],
};

/** The exact text of the id at a place; `undefined` if it is not a string or number. */
export function idAt(text: JsonText, place: IdPlace): JsonText | undefined {
  const span = spanOf(text, place);
  return span && text.slice(span.start, span.end);
}

/**
 * Replaces the id at a place with another, given as its exact text. A message without an id there is returned
 * unchanged.
 */
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

/** Most messages lack most of these members, and a search is many times faster than a scan. */
function mayHold(text: JsonText, key: string): boolean {
  return text.includes(key.slice(key.lastIndexOf('/') + 1)) || text.includes('\\u');
}
