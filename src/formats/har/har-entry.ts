import { ObjectView } from '../../json/object-view.ts';
import { utf8Length } from '../../json/utf8-length.ts';
import type { EventEntry, JsonText, MessageEntry } from '../../model/entry.ts';
import type { SessionHeader } from '../../model/session.ts';
import { formatTraceTime } from '../../model/times.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { compactObject, type UnknownField, withKept } from '../unknown-fields.ts';
import { bodyOf, type HarBody } from './har-body.ts';
import { addressOf, pathIn } from './har-http.ts';

/** The member with mcpreel's own data, which HAR has no field for. HAR requires an underscore for custom members. */
export const HAR_MEMBER = '_mcp';

/** The content of one archive entry: an HTTP exchange, or a request with its response if there was no HTTP. */
export interface HarExchange {
  /** The number of the HTTP exchange. */
  readonly exchange: number | undefined;
  /** The event that ended the HTTP exchange, if it has ended. */
  readonly event: EventEntry | undefined;
  readonly endpoint?: string | undefined;
  readonly sent: readonly MessageEntry[];
  readonly received: readonly MessageEntry[];
}

/** The members of an `http.exchange` event that have their own field in an entry. */
export const PLACED_MEMBERS: ReadonlySet<string> = new Set([
  ...['exchange', 'method', 'path', 'status', 'requestHeaders', 'responseHeaders', 'error'],
]);

/** The members of another tool's entry that are kept and written again. */
const KEPT_MEMBERS: ReadonlySet<string> = new Set(['pageref', 'cache', 'serverIPAddress', 'connection', 'comment']);

/** An entry of an archive, with the time at which it began. */
export interface WrittenEntry {
  readonly startMs: number;
  readonly text: JsonText;
}

export function harEntry(exchange: HarExchange, header: SessionHeader): WrittenEntry {
  const details = exchange.event === undefined ? undefined : ObjectView.of(exchange.event.raw);
  const times = timesOf(exchange, details);
  const fields: UnknownField[] = [
    ['"startedDateTime"', JSON.stringify(formatTraceTime(writableTime(times.startMs)))],
    ['"time"', JSON.stringify(times.tookMs)],
    ['"request"', requestText(exchange, details, header)],
    ['"response"', responseText(exchange, details, header)],
    ['"cache"', '{}'],
    ['"timings"', JSON.stringify(times.timings)],
    [`"${HAR_MEMBER}"`, ownMember(exchange, details)],
  ];
  const kept = ObjectView.of(exchange.event?.keepsakes?.transcript ?? '{}')?.only(isKept);
  return { startMs: times.startMs, text: compactObject(withKept(fields, kept)) };
}

function isKept(key: string): boolean {
  return KEPT_MEMBERS.has(key) || (key.startsWith('_') && key !== HAR_MEMBER);
}

/** HAR only supports the years from 0 to 9999. */
const YEAR_0_MS = Date.parse('0000-01-01T00:00:00Z');
const YEAR_10000_MS = Date.UTC(10_000, 0);

function writableTime(timeMs: number): number {
  return Math.min(Math.max(timeMs, YEAR_0_MS), YEAR_10000_MS - 1);
}

interface HarTimes {
  readonly startMs: number;
  readonly tookMs: number;
  readonly timings: Readonly<Record<string, number>>;
}

function timesOf({ sent, received, event }: HarExchange, details: ObjectView | undefined): HarTimes {
  const ms = details?.object('ms');
  const messageTimes = [...sent, ...received].map(({ atMs }) => atMs);
  const firstMs = messageTimes[0] ?? event?.atMs ?? 0;
  const lastMs = event?.atMs ?? messageTimes.at(-1) ?? firstMs;
  const tookMs = Math.max(0, ms?.number('end') ?? lastMs - firstMs);
  const connect = ms?.number('connect') ?? -1;
  const connected = Math.min(Math.max(0, connect), tookMs);
  const firstByte = Math.min(Math.max(ms?.number('firstByte') ?? tookMs, connected), tookMs);
  const timings = { connect, send: 0, wait: firstByte - connected, receive: tookMs - firstByte };
  const startMs = event === undefined ? firstMs : Math.min(event.atMs - tookMs, firstMs);
  return { startMs, tookMs, timings };
}

function requestText(exchange: HarExchange, details: ObjectView | undefined, header: SessionHeader): JsonText {
  const url = urlOf(exchange, details, header);
  const headers = pairsIn(details, 'requestHeaders');
  const body = bodyOf(exchange.sent);
  return JSON.stringify({
    method: details?.string('method') ?? 'POST',
    url,
    httpVersion: versionOf(exchange, header),
    cookies: [],
    headers,
    queryString: queryOf(url),
    headersSize: -1,
    bodySize: details?.object('bytes')?.number('in') ?? sizeOf(body),
    ...(body !== undefined && {
      postData: { mimeType: headerValue(headers, 'content-type') ?? 'application/json', text: body.text },
    }),
  });
}

function responseText(exchange: HarExchange, details: ObjectView | undefined, header: SessionHeader): JsonText {
  const headers = pairsIn(details, 'responseHeaders');
  const body = bodyOf(exchange.received, exchange.endpoint);
  const wireBytes = details?.object('bytes')?.number('out');
  const { status, statusText, error } = outcomeOf(exchange, details);
  const guessedType = body?.isEventStream ? 'text/event-stream' : 'application/json';
  return JSON.stringify({
    status,
    statusText,
    httpVersion: versionOf(exchange, header),
    cookies: [],
    headers,
    content: {
      size: body === undefined ? (wireBytes ?? 0) : sizeOf(body),
      mimeType: headerValue(headers, 'content-type') ?? (body === undefined ? '' : guessedType),
      ...(body !== undefined && { text: body.text }),
    },
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: wireBytes ?? sizeOf(body),
    ...(error !== undefined && { _error: error }),
  });
}

interface HttpOutcome {
  readonly status: number;
  readonly statusText: string;
  readonly error: string | undefined;
}

/** Returns the HTTP outcome. Without HTTP, returns the status that HTTP would have used. */
function outcomeOf({ exchange, sent, received }: HarExchange, details: ObjectView | undefined): HttpOutcome {
  if (details !== undefined) {
    return { status: details.number('status') ?? 0, statusText: '', error: details.string('error') };
  }
  if (received.length > 0) return { status: 200, statusText: 'OK', error: undefined };
  const isAsking = exchange !== undefined || sent.some((message) => envelopeOf(message).kind === 'request');
  if (isAsking) return { status: 0, statusText: '', error: 'no answer' };
  return { status: 202, statusText: 'Accepted', error: undefined };
}

/** Returns the URL of the HTTP request. Without HTTP, returns a URL that distinguishes the rows in a network panel. */
function urlOf(
  { exchange, sent, received }: HarExchange,
  details: ObjectView | undefined,
  header: SessionHeader,
): string {
  const base = header.url ?? ObjectView.of(header.keepsakes?.trace ?? '{}')?.string('listen') ?? 'http://localhost/';
  const address = exchange === undefined ? undefined : addressOf(base, details?.string('path') ?? pathIn(base));
  if (address !== undefined) return address;
  const [first] = [...sent, ...received];
  const { method = 'message' } = first === undefined ? {} : envelopeOf(first);
  const name = first && nameIn(first.text);
  const steps = [...method.split('/'), ...(name === undefined ? [] : [name])];
  return `mcp://${wordOf(header.label)}/${steps.map(wordOf).join('/')}`;
}

/** Returns the tool, prompt or resource that a request names. */
function nameIn(text: JsonText): string | undefined {
  const params = ObjectView.of(text)?.object('params');
  return params?.string('name') ?? params?.string('uri');
}

/** Encodes a word from the traffic for use in a URL. */
function wordOf(word: string): string {
  return encodeURIComponent(word.slice(0, 200).replaceAll(/\p{Surrogate}/gu, '\uFFFD')) || '-';
}

function queryOf(url: string): readonly { readonly name: string; readonly value: string }[] {
  return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
}

function versionOf({ exchange }: HarExchange, { transport }: SessionHeader): string {
  return exchange === undefined ? transport : 'HTTP/1.1';
}

interface HarHeader {
  readonly name: string;
  readonly value: string;
}

function pairsIn(details: ObjectView | undefined, key: string): HarHeader[] {
  const pairs = details?.value(key);
  if (!Array.isArray(pairs)) return [];
  return pairs.flatMap((pair: unknown): HarHeader[] => {
    const [name, value]: readonly unknown[] = Array.isArray(pair) ? pair : [];
    return typeof name === 'string' && typeof value === 'string' ? [{ name, value }] : [];
  });
}

function headerValue(headers: readonly HarHeader[], requested: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === requested)?.value;
}

function sizeOf(body: HarBody | undefined): number {
  return body === undefined ? 0 : utf8Length(body.text);
}

/**
 * Writes the data that reading the entry back requires: the direction and time of each message, and other facts about
 * the exchange.
 */
function ownMember({ exchange, event, sent, received }: HarExchange, details: ObjectView | undefined): JsonText {
  const messages = [...sent, ...received].map(messageText);
  const fields: UnknownField[] = [['"messages"', `[${messages.join(',')}]`]];
  if (exchange !== undefined) fields.unshift(['"exchange"', String(exchange)]);
  if (event !== undefined) {
    fields.push(['"endedDateTime"', JSON.stringify(formatTraceTime(event.atMs))]);
    if (event.conversation !== undefined) fields.push(['"conversation"', String(event.conversation)]);
    const more = details?.only((key) => !PLACED_MEMBERS.has(key));
    if (more !== undefined) fields.push(['"more"', more]);
  }
  return compactObject(fields);
}

function messageText(message: MessageEntry): JsonText {
  const { proxyId, correlatedId, atMs, direction, conversation, dropped, injected } = message;
  const { id, method } = envelopeOf(message);
  const fields: UnknownField[] = [
    ['"direction"', `"${direction}"`],
    ['"dateTime"', JSON.stringify(formatTraceTime(atMs))],
    ['"proxyId"', JSON.stringify(proxyId)],
  ];
  if (correlatedId !== undefined) fields.push(['"correlatedId"', JSON.stringify(correlatedId)]);
  if (id !== undefined) fields.push(['"jsonrpcId"', id]);
  if (method !== undefined) fields.push(['"method"', JSON.stringify(method)]);
  if (conversation !== undefined) fields.push(['"conversation"', String(conversation)]);
  if (dropped) fields.push(['"dropped"', 'true']);
  if (injected) fields.push(['"injected"', 'true']);
  return compactObject(fields);
}
