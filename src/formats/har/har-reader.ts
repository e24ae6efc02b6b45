import { decodeUtf8 } from '../../json/lines.ts';
import { elementTexts, ObjectView } from '../../json/object-view.ts';
import { type Direction, type JsonText, opposite } from '../../model/entry.ts';
import { ReelError } from '../../model/errors.ts';
import type { RecordedSession } from '../../model/session.ts';
import { LATEST_MS } from '../../model/times.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { describeDocument, scanTopLevel, type TopLevelMember } from '../children.ts';
import { type FormatConfidence, type ReadOptions, type Source, WRONG_FORMAT } from '../format.ts';
import { type CapturePass, readCapture, unknownMembers } from '../other-tools/foreign-capture.ts';
import { bodyIn, type FoundBody, faultsInEntry, isJsonRpc, messagesInBody, TORN_BODY } from './har-body.ts';
import { HAR_MEMBER } from './har-entry.ts';
import { type HarHeaderPair, headersIn, statusIn } from './har-http.ts';
import { entriesByStart } from './har-order.ts';
import { sessionFacts, takeOwnEntry } from './har-own-entry.ts';
import { type HarItem, HarQueue } from './har-queue.ts';

/** Recognizes an HTTP archive by the beginning of its `log`. */
export function detectHar(head: string): FormatConfidence {
  const start = /^\uFEFF?\s*\{\s*"log"\s*:\s*(?=\{)/.exec(head)?.[0];
  if (start === undefined) return 'no';
  const log = ObjectView.ofHead(head.slice(start.length));
  const hasEntries = log.has('entries') || log.openMember()?.key === 'entries';
  return log.string('version') !== undefined && (log.has('creator') || hasEntries) ? 'certain' : 'no';
}

/**
 * Reads the MCP traffic of an HTTP archive. Each entry with JSON-RPC in a body or with an MCP header becomes its
 * messages and an `http.exchange` event. All other entries (pages, scripts, tokens) are skipped. Entries that mcpreel
 * wrote contain more.
 */
export async function readHar(source: Source, options: ReadOptions): Promise<RecordedSession> {
  const archive = await scanTopLevel(source, () => false);
  const place = archive.members.get('log');
  if (place === undefined) {
    const what = `${source.name} is not a HAR file: ${describeDocument(archive)}, and no "log"`;
    throw new ReelError('session-unreadable', what, { hint: WRONG_FORMAT });
  }
  const log = await scanTopLevel(source, (key) => key === 'creator' || key === HAR_MEMBER, place);
  const creator = textOf(log.members.get('creator'));
  const facts = sessionFacts(textOf(log.members.get(HAR_MEMBER)));
  const records = await entriesByStart(source, log, archive.fault);
  const session = await readCapture(source, options, {
    format: 'har',
    sourceUnit: 'entry',
    records,
    mayBeEmpty: facts !== undefined,
    begin: (pass) => {
      if (facts !== undefined) pass.know(facts);
      else if (creator !== undefined) pass.know({ keepsakes: { transcript: `{"creator":${creator}}` } });
      const queue = new HarQueue();
      pass.atEnd(() => queue.makeRest());
      return (record, line) => {
        for (const fault of faultsInEntry(record)) pass.problem(fault);
        const own = record.object(HAR_MEMBER);
        if (own === undefined) new ReadExchange(pass, queue, record, line).take();
        else takeOwnEntry(pass, queue, record, own, line);
      };
    },
  });
  // Set the facts again, because `CapturePass.know` ignores empty values.
  return facts === undefined ? session : { ...session, header: { ...session.header, ...facts } };
}

/** Returns the text of a member that is an object. */
function textOf(member: TopLevelMember | undefined): JsonText | undefined {
  const text = member?.bytes && decodeUtf8(member.bytes);
  return text !== undefined && ObjectView.of(text) ? text : undefined;
}

/** One archive entry that a browser or another tool wrote. */
class ReadExchange {
  readonly #pass: CapturePass;
  readonly #queue: HarQueue;
  readonly #entry: ObjectView;
  readonly #number: number;
  readonly #request: ObjectView | undefined;
  readonly #response: ObjectView | undefined;
  #usesEvents = false;

  constructor(pass: CapturePass, queue: HarQueue, entry: ObjectView, number: number) {
    this.#pass = pass;
    this.#queue = queue;
    this.#entry = entry;
    this.#number = number;
    this.#request = entry.object('request');
    this.#response = entry.object('response');
  }

  take(): void {
    const sent = this.#messagesIn(this.#request?.object('postData'));
    const received = this.#received();
    const requestHeaders = headersIn(this.#request);
    const responseHeaders = headersIn(this.#response);
    const session = sessionIn(requestHeaders) ?? sessionIn(responseHeaders);
    const namesMcp = [...requestHeaders, ...responseHeaders].some(([name]) => /^mcp-/i.test(name));
    if (sent.length + received.length === 0 && !namesMcp) return;

    const url = this.#request?.string('url') ?? '';
    const { path, address } = partsOf(url);
    this.#pass.know({ url: address, transport: 'streamable-http' });
    const startMs = this.#queue.begin(this.#pass, this.#entry);
    const conversation = this.#pass.numberOf('session', `${address} ${session}`) || undefined;
    for (const found of sent) this.#add('client_to_server', found, conversation, { atMs: startMs });
    const tookMs = this.#entry.number('time') ?? 0;
    const endMs = tookMs > 0 && startMs + tookMs <= LATEST_MS ? Math.round(startMs + tookMs) : startMs;
    let after: HarItem | undefined;
    for (const found of received) {
      // Without the time of an event, it is only known that it came while the exchange lasted.
      const when = found.atMs === undefined ? { atMs: endMs, sinceMs: startMs } : { atMs: found.atMs };
      after = this.#add('server_to_client', found, conversation, { ...when, after });
    }
    const method = this.#request?.string('method') ?? '';
    const status = statusIn(this.#response);
    const error = this.#response?.string('_error') ?? null;
    const exchange = { exchange: this.#number, method, path, status, requestHeaders, responseHeaders, error };
    const read = ['startedDateTime', 'time', 'request', 'response', ...(this.#usesEvents ? [EVENTS_MEMBER] : [])];
    const kept = unknownMembers(this.#entry, read);
    const raw = JSON.stringify(exchange);
    this.#queue.put(this.#pass, { atMs: endMs, weight: raw.length, rank: this.#number }, () =>
      this.#pass.event('http.exchange', raw, kept, conversation),
    );
  }

  #add(
    direction: Direction,
    { text, sse }: FoundBody,
    conversation: number | undefined,
    when: Pick<HarItem, 'atMs' | 'sinceMs' | 'after'>,
  ): HarItem {
    const number = this.#number;
    const { kind, id } = readEnvelope(text);
    const name = id === undefined ? undefined : `${conversation} ${id}`;
    const place = { ...when, weight: text.length, rank: number };
    const request = kind === 'request' ? `${direction} ${name}` : undefined;
    const answers = kind === 'response' ? `${opposite(direction)} ${name}` : undefined;
    const http = `{"exchange":${number}}`;
    return this.#queue.put(this.#pass, { ...place, request, answers }, () =>
      this.#pass.message(text, { direction, conversation, http, sse, seenOn: number }),
    );
  }

  /** Returns the messages of the response. A browser may have stored its events beside the body, with their times. */
  #received(): readonly TimedBody[] {
    const inBody = this.#messagesIn(this.#response?.object('content'));
    const events = eventsIn(this.#entry);
    const isSame = events.length === inBody.length && events.every(({ text }, n) => text === inBody[n]?.text);
    this.#usesEvents = events.length > 0 && (isSame || inBody.length === 0);
    if (!this.#usesEvents) return inBody;
    return isSame ? inBody.map((found, n) => ({ ...found, atMs: events[n]?.atMs })) : events;
  }

  #messagesIn(content: ObjectView | undefined): readonly FoundBody[] {
    const body = bodyIn(content);
    if (body === null) this.#pass.problem('a body that is not base64 of UTF-8 text');
    if (body === undefined || body === null) return [];
    const { found, hasEndpoint, isTorn } = messagesInBody(body, isJsonRpc);
    if (isTorn) this.#pass.problem(TORN_BODY);
    if (hasEndpoint) this.#pass.know({ transport: 'sse' });
    return found;
  }
}

/** The member in which Chromium's developer tools store the events of an event stream, with times in seconds. */
const EVENTS_MEMBER = '_eventSourceMessages';

interface TimedBody extends FoundBody {
  readonly atMs?: number | undefined;
}

function eventsIn(entry: ObjectView): TimedBody[] {
  return (elementTexts(entry.textOf(EVENTS_MEMBER) ?? '') ?? []).flatMap((element): TimedBody[] => {
    const view = ObjectView.of(element);
    const data = view?.string('data') ?? '';
    if (!isJsonRpc(data)) return [];
    const event = view?.string('eventName') || 'message';
    const atMs = Math.round((view?.number('time') ?? Number.NaN) * 1000);
    const sse = JSON.stringify({ event, id: view?.string('eventId') || undefined });
    return [{ text: data.trim(), sse, ...(Math.abs(atMs) <= LATEST_MS && { atMs }) }];
  });
}

function sessionIn(headers: readonly HarHeaderPair[]): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'mcp-session-id')?.[1];
}

function partsOf(url: string): { readonly path: string; readonly address: string } {
  if (!URL.canParse(url)) return { path: url, address: url };
  const { origin, pathname, search } = new URL(url);
  return { path: `${pathname}${search}`, address: `${origin}${pathname}` };
}
