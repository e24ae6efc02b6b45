import { isPlainEncoding } from '../../transport/http/content-encoding.ts';

/** Headers of one connection, which the next one has its own of (RFC 9110, 7.6.1). Framing is kept: Node frames by it. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'upgrade',
]);

/** Names and values in turn, in order and case as they came. */
export type RawHeaders = readonly string[];

/** What becomes of a header on its way: its value, or nothing if it goes no further. */
export type HeaderChange = (lowerName: string, value: string) => string | undefined;

/** The headers that are for the other side, in their order and case. */
export function endToEnd(raw: RawHeaders, change: HeaderChange = (_, value) => value): string[] {
  const named = namedByConnection(raw);
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string;
    const lower = name.toLowerCase();
    if (OF_ONE_CONNECTION.has(lower) || named?.has(lower)) continue;
    const value = change(lower, raw[at + 1] as string);
    if (value !== undefined) kept.push(name, value);
  }
  return kept;
}

/** The value of the first header of a name, which is given in lower case. */
export function headerOf(raw: RawHeaders, lowerName: string): string | undefined {
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string;
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) return raw[at + 1];
  }
  return undefined;
}

/** Whether a body may be JSON-RPC by what its headers say; others are never looked into. */
export function mayHoldMessages(headers: RawHeaders): boolean {
  return /^(?:$|application\/(?:[\w.+-]*\+)?json|text\/(?:json|plain))/i.test(headerOf(headers, 'content-type') ?? '');
}

export function isEventStream(headers: RawHeaders): boolean {
  return /^text\/event-stream/i.test(headerOf(headers, 'content-type') ?? '');
}

/** Whether a body comes as what it says, without any encoding. */
export function isPlain(headers: RawHeaders): boolean {
  return isPlainEncoding(headerOf(headers, 'content-encoding'));
}

/** Whether a request says that it has a body. */
export function hasBody(headers: RawHeaders): boolean {
  return headerOf(headers, 'content-length') !== undefined || headerOf(headers, 'transfer-encoding') !== undefined;
}

/** The headers as pairs. */
export function headerPairs(raw: RawHeaders): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string]);
  return pairs;
}

function namedByConnection(raw: RawHeaders): ReadonlySet<string> | undefined {
  const value = headerOf(raw, 'connection');
  if (value === undefined || /^(?:keep-alive|close)$/i.test(value)) return undefined;
  const names = value.split(',').map((name) => name.trim().toLowerCase());
  // What frames the message cannot be left out by naming it here.
  return new Set(names.filter((name) => name !== 'transfer-encoding' && name !== 'content-length' && name !== 'host'));
}
