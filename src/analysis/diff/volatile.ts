import { isRedacted } from '../../model/placeholder.ts';

/**
 * What differs from run to run without meaning anything: names that client and server make up for one session, and
 * times. Names are volatile only where the protocol puts them: a `taskId` among a tool's own data is data.
 */

/** Where in a message a value stands, as far as that decides what is volatile in it. */
export type ValuePlace = 'message' | 'body' | 'bodies' | 'meta' | 'requests' | 'request' | 'data';

interface PlaceRules {
  /** Members that are volatile here. */
  readonly volatile: ReadonlySet<string>;
  /** Which place a member is. */
  readonly within: ReadonlyMap<string, ValuePlace>;
  readonly otherwise: ValuePlace;
}

const NONE: ReadonlySet<string> = new Set();
const PLACES: Readonly<Record<ValuePlace, PlaceRules>> = {
  message: {
    volatile: new Set(['id']),
    within: new Map([
      ['params', 'body'],
      ['result', 'body'],
      ['error', 'body'],
    ]),
    otherwise: 'data',
  },
  /** Params, a result, an error, and what holds the same members: a task, an elicitation. */
  body: {
    volatile: new Set([
      'progressToken',
      'requestId',
      'requestState',
      'cursor',
      'nextCursor',
      'taskId',
      'elicitationId',
      'clientInfo',
      'serverInfo',
      'protocolVersion',
      'ttlMs',
    ]),
    within: new Map([
      ['_meta', 'meta'],
      ['data', 'body'],
      ['task', 'body'],
      ['tasks', 'bodies'],
      ['elicitations', 'bodies'],
      ['inputRequests', 'requests'],
    ]),
    otherwise: 'data',
  },
  bodies: { volatile: NONE, within: new Map(), otherwise: 'body' },
  meta: {
    volatile: new Set([
      'progressToken',
      'io.modelcontextprotocol/subscriptionId',
      'io.modelcontextprotocol/related-task',
      'io.modelcontextprotocol/clientInfo',
      'io.modelcontextprotocol/serverInfo',
      'io.modelcontextprotocol/protocolVersion',
      'traceparent',
      'tracestate',
      'baggage',
    ]),
    within: new Map(),
    otherwise: 'data',
  },
  requests: { volatile: NONE, within: new Map(), otherwise: 'request' },
  request: { volatile: NONE, within: new Map([['params', 'body']]), otherwise: 'data' },
  data: { volatile: NONE, within: new Map([['_meta', 'meta']]), otherwise: 'data' },
};

/** Whether a member says nothing that could be compared. */
export function isVolatile(place: ValuePlace, key: string | number): boolean {
  return typeof key === 'string' && PLACES[place].volatile.has(key);
}

/** The text of what the protocol takes for granted where a member is not there. */
export function defaultOf(place: ValuePlace, key: string): string | undefined {
  return place === 'body' && key === 'resultType' ? '"complete"' : undefined;
}

/** Which place a member or an element of a place is. */
export function placeWithin(place: ValuePlace, key: string | number): ValuePlace {
  const { within, otherwise } = PLACES[place];
  return (typeof key === 'string' ? within.get(key) : undefined) ?? otherwise;
}

/** Times of day with their dates: RFC 3339 and its relatives, HTTP dates, what JavaScript prints. */
const TIMES =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d\d [A-Z][a-z]{2}|[A-Z][a-z]{2} \d\d) \d{4} \d\d:\d\d:\d\d GMT(?:[+-]\d{4})?/g;

/** The text with every time in it replaced by a word. */
export function withoutTimes(text: string): string {
  return text.includes(':') ? text.replaceAll(TIMES, '<time>') : text;
}

const TIME_NAME = /^(?:ts|time|timestamp|date)$|(?:_at|At|_time|Time|_timestamp|Timestamp)(?:_ms|Ms)?$/;
/** Seconds, milliseconds, microseconds or nanoseconds since 1970, in the years from 2001 on. */
const EPOCH = /^[1-9]\d{9}(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?$/;

/** Whether a number is a time, by the name of its member and by its size. */
export function isTimeNumber(name: string | number, lexeme: string): boolean {
  return typeof name === 'string' && TIME_NAME.test(name) && EPOCH.test(lexeme);
}

const PLACEHOLDER_DIGITS = /(\[REDACTED:[a-z0-9-]{1,64}):[0-9a-f]{8}\]/g;

/** The text with placeholders that say only what they hide: their digits are salted anew for each recording. */
export function withoutSalt(text: string): string {
  return isRedacted(text) ? text.replaceAll(PLACEHOLDER_DIGITS, '$1]') : text;
}
