import type { Direction, Entry, JsonText } from '../model/entry.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import { isModernRevision } from '../protocol/era.ts';
import { type RpcBody, rpcFramesOf } from '../protocol/rpc-body.ts';
import type { SseItem } from '../protocol/sse-stream.ts';
import type { ExchangeOutcome, ExchangeTap, RequestHead, ResponseHead } from '../proxy/exchange-tap.ts';
import { headerOf, type RawHeaders } from '../proxy/http-headers.ts';
import type { LongLine } from '../transport/bounded-lines.ts';
import { type BodyCopy, type BodyReader, copyBody } from './body-copy.ts';
import type { Conversations } from './conversations.ts';
import { type EntryMaker, eventEntry, side, TOO_LONG } from './entry-maker.ts';
import { exchangeEntry } from './exchange-entry.ts';

/** What all exchanges of a listener share. */
export interface RecordedExchangeOptions {
  readonly maker: EntryMaker;
  readonly conversations: Conversations;
  readonly maxMessageBytes: number;
  readonly streamsAreConversations: boolean;
  /** Where entries are added. */
  readonly entries: () => Entry[];
  /** Adds what there is to say of an exchange as a whole, which can wait. */
  readonly summarise: (make: () => Entry) => void;
  /** Puts off what is to be read of a body that had to be decoded. */
  readonly later: (work: () => void) => void;
  readonly onEnd: (exchange: RecordedExchange) => void;
}

/** Makes the entries of one HTTP exchange. */
export class RecordedExchange implements ExchangeTap, BodyReader {
  readonly #number: number;
  readonly #asking: RequestHead;
  readonly #options: RecordedExchangeOptions;
  readonly #request: BodyCopy | undefined;
  #response: BodyCopy | undefined;
  #head: ResponseHead | undefined;
  #conversation: number | undefined;
  #opensConversation = false;
  #endpoint: string | undefined;
  /** The one request in its body. */
  #asked: JsonText | undefined;
  #isRequestRead = false;
  /** Bodies that have not been read to their end. */
  #unread = 0;
  #ending: (() => void) | undefined;
  #now = 0;

  constructor(number: number, head: RequestHead, options: RecordedExchangeOptions) {
    this.#number = number;
    this.#asking = head;
    this.#options = options;
    if (mayHoldMessages(head.headers)) this.#request = this.#copy(head.headers, 'client_to_server', false);
  }

  get requestId(): JsonText | undefined {
    return this.#asked === undefined ? undefined : readEnvelope(this.#asked).id;
  }

  requestChunk(chunk: Uint8Array, atMs: number): void {
    this.#request?.push(chunk, atMs);
  }

  requestEnd(atMs: number): void {
    this.#isRequestRead = true;
    this.#now = atMs;
    this.#request?.end();
  }

  response(head: ResponseHead, atMs: number): void {
    const { conversations, streamsAreConversations } = this.#options;
    this.#head = head;
    this.#now = atMs;
    const isStream = /^text\/event-stream/i.test(headerOf(head.headers, 'content-type') ?? '');
    const sessionId = headerOf(head.headers, 'mcp-session-id');
    if (streamsAreConversations && isStream && this.#asking.method === 'GET') this.#conversation = conversations.open();
    const conversation = this.#conversationOf(undefined);
    if (this.#opensConversation) {
      if (head.status >= 300) conversations.refuse(conversation);
      else if (sessionId === undefined) conversations.leaveUnnamed(conversation);
      else conversations.name(conversation, sessionName(sessionId));
    }
    if (isStream || mayHoldMessages(head.headers)) {
      this.#response = this.#copy(head.headers, 'server_to_client', isStream);
    }
  }

  responseChunk(chunk: Uint8Array, atMs: number): void {
    this.#now = atMs;
    this.#response?.push(chunk, atMs);
  }

  responseEnd(atMs: number): void {
    this.#now = atMs;
    this.#response?.end();
    this.#response = undefined;
  }

  end(outcome: ExchangeOutcome, atMs: number): void {
    this.#now = atMs;
    // What broke off was not ended before.
    if (!this.#isRequestRead) this.#request?.end();
    this.#response?.end();
    this.#ending = () => this.#tell(outcome, atMs);
    // Unless something is still being decoded.
    if (this.#unread === 0) this.#ending();
  }

  #copy(headers: RawHeaders, direction: Direction, isEventStream: boolean): BodyCopy {
    const { maxMessageBytes, later } = this.#options;
    this.#unread++;
    const encoding = headerOf(headers, 'content-encoding');
    return copyBody({ reader: this, direction, isEventStream, encoding, limit: maxMessageBytes, later });
  }

  bodyEnded(direction: Direction, problem: string | undefined): void {
    if (problem !== undefined) this.#tellGap(direction, problem);
    this.#unread--;
    if (this.#unread === 0) this.#ending?.();
  }

  takeWhole(body: Uint8Array | LongLine, direction: Direction): void {
    if ('sha256' in body) {
      this.#tellGap(direction, TOO_LONG, body);
      return;
    }
    const frame = body.length === 0 ? undefined : rpcFramesOf(textOf(body));
    if (direction === 'client_to_server') {
      if (frame?.kind === 'message' && frame.glance.kind === 'request') this.#asked = frame.text;
      this.#conversationOf(frame);
    }
    if (frame !== undefined) this.#add(frame, direction, this.#now);
  }

  takeEvent(item: SseItem, atMs: number): void {
    const { event, id, retryMs, data, tooLong, cut } = item;
    if (tooLong !== undefined) {
      this.#tellGap('server_to_client', TOO_LONG, { size: tooLong });
      return;
    }
    const frame = data === undefined || data === '' || cut ? undefined : rpcFramesOf(data);
    if (frame !== undefined) {
      const sse = id === undefined ? `{"event":${JSON.stringify(event)}}` : JSON.stringify({ event, id });
      this.#add(frame, 'server_to_client', atMs, sse);
      return;
    }
    const isEndpoint = event === 'endpoint' && data !== undefined;
    if (isEndpoint) this.#nameByEndpoint(data);
    const raw = {
      exchange: this.#number,
      event,
      ...(id !== undefined && { id }),
      ...(retryMs !== undefined && { retry: retryMs }),
      // Whatever else is no message may hold anything.
      ...(isEndpoint ? { data } : { size: data?.length ?? 0 }),
      ...(cut && { cut }),
    };
    this.#options.entries().push(eventEntry('http.event', atMs, raw, this.#conversation));
  }

  #add(frame: RpcBody, direction: Direction, atMs: number, sse?: JsonText, injected?: boolean): void {
    const { maker, entries } = this.#options;
    maker.addFrame(frame, direction, atMs, entries(), {
      conversation: this.#conversationOf(frame),
      exchange: this.#number,
      sse,
      injected,
    });
  }

  #nameByEndpoint(address: string): void {
    const base = `http://localhost${this.#asking.path}`;
    if (!URL.canParse(address, base)) return;
    const { pathname, search } = new URL(address, base);
    this.#endpoint = endpointName(pathname + search);
    this.#options.conversations.name(this.#conversationOf(undefined), this.#endpoint);
  }

  /** Decided once, by the first that is known of the exchange. */
  #conversationOf(frame: RpcBody | undefined): number {
    this.#conversation ??= this.#decideConversation(frame);
    return this.#conversation;
  }

  #decideConversation(frame: RpcBody | undefined): number {
    const { conversations } = this.#options;
    const head = this.#asking;
    const sessionId = headerOf(head.headers, 'mcp-session-id');
    if (sessionId !== undefined) return conversations.named(sessionName(sessionId));
    const ofEndpoint = conversations.ofName(endpointName(head.path));
    if (ofEndpoint !== undefined || frame === undefined) return ofEndpoint ?? 0;
    this.#opensConversation = frame.kind === 'message' && isInitialize(frame.text);
    if (this.#opensConversation) return conversations.begin();
    // From 2026-07-28 on there are no sessions, and every message stands alone.
    const isModern = isModernRevision(headerOf(head.headers, 'mcp-protocol-version') ?? '');
    return isModern ? 0 : conversations.ofUnnamed();
  }

  #tellGap(direction: Direction, why: string, more: Partial<LongLine> = {}): void {
    const raw = { missed: 1, why, dir: side(direction), exchange: this.#number, ...more };
    this.#options.entries().push(eventEntry('mcpreel.gap', this.#now, raw, this.#conversation));
  }

  /** Says how the exchange went; it is over. */
  #tell(outcome: ExchangeOutcome, atMs: number): void {
    const { maker, conversations, summarise, onEnd } = this.#options;
    const head = this.#asking;
    const { ownAnswer, error, ms, bytes } = outcome;
    const conversation = this.#conversationOf(undefined);
    const ownFrame = ownAnswer?.text === undefined ? undefined : rpcFramesOf(ownAnswer.text);
    if (ownFrame !== undefined) this.#add(ownFrame, 'server_to_client', atMs, undefined, true);
    const finished = {
      exchange: this.#number,
      method: head.method,
      path: head.path,
      status: ownAnswer?.status ?? this.#head?.status,
      requestHeaders: head.headers,
      responseHeaders: this.#head?.headers ?? [],
      ms,
      bytes,
      error,
      answeredBy: ownAnswer === undefined ? undefined : ('mcpreel' as const),
    };
    summarise(() => exchangeEntry(finished, atMs, conversation));
    maker.endExchange(this.#number);
    const sessionId = headerOf(head.headers, 'mcp-session-id');
    const isDeleted = head.method === 'DELETE' && this.#head !== undefined && this.#head.status < 300;
    if (isDeleted && sessionId !== undefined) conversations.end(sessionName(sessionId));
    if (this.#endpoint !== undefined) conversations.end(this.#endpoint);
    if (this.#opensConversation && this.#head === undefined) conversations.refuse(conversation);
    onEnd(this);
  }
}

function isInitialize(text: JsonText): boolean {
  return text.includes('"initialize"') && readEnvelope(text).method === 'initialize';
}

/** Bodies of these kinds may be JSON-RPC; others are never looked into. */
function mayHoldMessages(headers: RawHeaders): boolean {
  return /^(?:$|application\/(?:[\w.+-]*\+)?json|text\/(?:json|plain))/i.test(headerOf(headers, 'content-type') ?? '');
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
}

function sessionName(id: string): string {
  return `session ${id}`;
}

function endpointName(path: string): string {
  return `endpoint ${path}`;
}
