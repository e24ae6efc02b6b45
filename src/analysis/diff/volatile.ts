/**
 * Recognizes values that differ between runs without significance: times, and names that client and server generate for
 * one session. A name is volatile only where the protocol defines it: a `taskId` in a tool's own data is data.
 */

/** The position of a value in a message, as far as it decides what is volatile. */
export type ValuePlace = 'message' | 'body' | 'bodies' | 'meta' | 'requests' | 'request' | 'data';

interface PlaceRules {
  /** Members that are volatile at this place. */
  readonly volatile: ReadonlySet<string>;
  /** The places of the members. */
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
  /** Params, a result, an error, and objects with the same members: a task, an elicitation. */
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

/** Whether a member is not significant in a comparison. */
export function isVolatile(place: ValuePlace, key: string | number): boolean {
  return typeof key === 'string' && PLACES[place].volatile.has(key);
}

/** The text of the default that the protocol defines for an absent member. */
export function defaultOf(place: ValuePlace, key: string): string | undefined {
  return place === 'body' && key === 'resultType' ? '"complete"' : undefined;
}

/** The place of a member or element. */
export function placeWithin(place: ValuePlace, key: string | number): ValuePlace {
  const { within, otherwise } = PLACES[place];
  return (typeof key === 'string' ? within.get(key) : undefined) ?? otherwise;
}

/** Dates with a time of day: RFC 3339 and its variants, HTTP dates, JavaScript's `Date` format. */
const TIMES =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d\d [A-Z][a-z]{2}|[A-Z][a-z]{2} \d\d) \d{4} \d\d:\d\d:\d\d GMT(?:[+-]\d{4})?/g;

/** Replaces every time in the text with `<time>`. */
export function withoutTimes(text: string): string {
  return text.includes(':') ? text.replaceAll(TIMES, '<time>') : text;
}

const TIME_NAME = /^(?:ts|time|timestamp|date)$|(?:_at|At|_time|Time|_timestamp|Timestamp)(?:_ms|Ms)?$/;
/** Seconds, milliseconds, microseconds or nanoseconds since 1970, from 2001 on. */
const EPOCH = /^[1-9]\d{9}(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?$/;

/** Whether a number is a time, judged by its member name and size. */
export function isTimeNumber(name: string | number, lexeme: string): boolean {
  return typeof name === 'string' && TIME_NAME.test(name) && EPOCH.test(lexeme);
}
