import { isPlainEncoding } from '../../transport/http/content-encoding.ts';

/** Hop-by-hop headers (RFC 9110, 7.6.1). Framing headers are kept, because Node frames messages by them. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'upgrade',
]);

/** Names and values alternate, in the order and case as received. */
export type RawHeaders = readonly string[];

/** Returns the value of a header to forward, or `undefined` to remove it. */
export type HeaderChange = (lowerName: string, value: string) => string | undefined;

/** The end-to-end headers, in their order and case. */
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

/** The value of the first header with this name, which must be in lower case. */
export function headerOf(raw: RawHeaders, lowerName: string): string | undefined {
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string;
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) return raw[at + 1];
  }
  return undefined;
}

/** All values of a header in one list, as receivers read a repeated header. */
export function listOf(raw: RawHeaders, lowerName: string): string | undefined {
  const values: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() === lowerName) values.push(raw[at + 1] as string);
  }
  return values.length === 0 ? undefined : values.join(', ');
}

/** Whether the headers allow a JSON-RPC body. Other bodies are never parsed. */
export function mayHoldMessages(headers: RawHeaders): boolean {
  return /^(?:$|application\/(?:[\w.+-]*\+)?json|text\/(?:json|plain))/i.test(headerOf(headers, 'content-type') ?? '');
}

export function isEventStream(headers: RawHeaders): boolean {
  return /^text\/event-stream/i.test(headerOf(headers, 'content-type') ?? '');
}

/** Whether some client could read the response as an event stream, whatever else its headers say. */
export function mayBeEventStream(headers: RawHeaders): boolean {
  return /text\/event-stream/i.test(listOf(headers, 'content-type') ?? '');
}

/** Whether some client could read the response as JSON. */
export function mayBeJson(headers: RawHeaders): boolean {
  return /json|^\s*$/i.test(listOf(headers, 'content-type') ?? '');
}

/** Whether a body has no content encoding. */
export function isPlain(headers: RawHeaders): boolean {
  return isPlainEncoding(listOf(headers, 'content-encoding'));
}

/** Whether the headers of a request announce a body. */
export function hasBody(headers: RawHeaders): boolean {
  return headerOf(headers, 'content-length') !== undefined || headerOf(headers, 'transfer-encoding') !== undefined;
}

export function headerPairs(raw: RawHeaders): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string]);
  return pairs;
}

function namedByConnection(raw: RawHeaders): ReadonlySet<string> | undefined {
  const value = headerOf(raw, 'connection');
  if (value === undefined || /^(?:keep-alive|close)$/i.test(value)) return undefined;
  const names = value.split(',').map((name) => name.trim().toLowerCase());
  // Framing headers and `Host` cannot be removed by naming them in `Connection`.
  return new Set(names.filter((name) => name !== 'transfer-encoding' && name !== 'content-length' && name !== 'host'));
}
