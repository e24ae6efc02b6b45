import type { Settlement } from '../../intercept/held-message.ts';
import { type Direction, type Entry, type JsonText, side } from '../../model/entry.ts';
import { TOO_LONG } from '../../model/gap-reasons.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import type { ToolHeaders } from '../../protocol/modern-headers.ts';
import { objectsOf, type RpcBody, rpcFramesOf } from '../../protocol/rpc-body.ts';
import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import type {
  EventName,
  ExchangeOutcome,
  ExchangeTap,
  RequestHead,
  ResponseHead,
} from '../../proxy/http/exchange-tap.ts';
import { headerOf, isEventStream, listOf, mayHoldMessages, type RawHeaders } from '../../proxy/http/http-headers.ts';
import type { UnfinishedWork } from '../../proxy/http/idle-queue.ts';
import { type EntryMaker, eventEntry } from '../../record/entry-maker.ts';
import type { LongLine } from '../../transport/bounded-lines.ts';
import { type BodyCopy, type BodyReader, copyBody } from './body-copy.ts';
import type { HttpConversations } from './conversations.ts';
import { ExchangeConversation } from './exchange-conversation.ts';
import { exchangeEntry } from './exchange-entry.ts';
import type { LastRequestHeads } from './last-request-heads.ts';

/** The dependencies that all exchanges of a listener share. */
export interface ExchangeRecorderOptions {
  readonly maker: EntryMaker;
  readonly conversations: HttpConversations;
  readonly heads: LastRequestHeads;
  /** Learns which tool arguments are repeated in headers. */
  readonly tools: ToolHeaders;
  readonly maxMessageBytes: number;
  readonly streamsAreConversations: boolean;
  /** The list to which entries are added. */
  readonly entries: () => Entry[];
  readonly onEnd: () => void;
}

/** A `tools/list` request carries little more than a cursor, so it is never longer than this. */
const MAX_LISTING = 1 << 13;

/** Creates the entries of one HTTP exchange. */
export class ExchangeRecorder implements ExchangeTap, BodyReader {
  readonly number: number;
  readonly #asking: RequestHead;
  readonly #options: ExchangeRecorderOptions;
  readonly #isOurs: boolean;
  readonly #conversation: ExchangeConversation;
  #request: BodyCopy | undefined;
  #response: BodyCopy | undefined;
  #head: ResponseHead | undefined;
  /** The request in the body, if there is exactly one. */
  #requested: JsonText | undefined;
  #now = 0;

  /** @param isOurs Whether mcpreel itself sent the request. */
  constructor(number: number, head: RequestHead, options: ExchangeRecorderOptions, isOurs = false) {
    this.number = number;
    this.#asking = head;
    this.#options = options;
    this.#isOurs = isOurs;
    this.#conversation = new ExchangeConversation(options.conversations, head);
    if (mayHoldMessages(head.headers)) this.#request = this.#copy(head.headers, 'client_to_server', false);
  }

  get requestId(): JsonText | undefined {
    return this.#requested === undefined ? undefined : readEnvelope(this.#requested).id;
  }

  conversationOf(frame: RpcBody | undefined): number {
    return this.#conversation.of(frame);
  }

  requestChunk(chunk: Uint8Array, atMs: number): UnfinishedWork | undefined {
    // An encoded body may end before its bytes do.
    this.#now = atMs;
    return this.#request?.push(chunk, atMs);
  }

  requestEnd(atMs: number): UnfinishedWork | undefined {
    this.#now = atMs;
    return this.#endRequest(true);
  }

  requestSettled(settled: readonly Settlement[]): void {
    const [message, ...others] = settled;
    this.#request = undefined;
    if (message !== undefined && others.length === 0) this.#ask(message.text);
    this.#options.heads.spoke(this.conversationOf(undefined), this.#asking);
    this.#addSettled(settled, 'client_to_server');
  }

  response(head: ResponseHead, atMs: number, isDecoded = false): void {
    const { heads, streamsAreConversations } = this.#options;
    this.#head = head;
    this.#now = atMs;
    const isStream = isEventStream(head.headers);
    const sessionId = headerOf(head.headers, 'mcp-session-id');
    this.#conversation.answered(head, streamsAreConversations);
    if (sessionId !== undefined) heads.isCalled(this.conversationOf(undefined), sessionId);
    if (isStream || mayHoldMessages(head.headers)) {
      this.#response = this.#copy(isDecoded ? [] : head.headers, 'server_to_client', isStream);
    }
  }

  responseChunk(chunk: Uint8Array, atMs: number): UnfinishedWork | undefined {
    this.#now = atMs;
    return this.#response?.push(chunk, atMs);
  }

  responseSettled(settled: readonly Settlement[], event?: EventName): void {
    this.#now = settled[0]?.atMs ?? this.#now;
    if (event === undefined) this.#response = undefined;
    for (const { text } of settled) this.#learn(text);
    this.#addSettled(settled, 'server_to_client', event && sseOf(event));
  }

  sentByUs(text: string, atMs: number, event?: EventName): void {
    const frame = objectsOf(text);
    const sse = event && sseOf(event);
    if (frame !== undefined) this.#add(frame, 'server_to_client', atMs, sse, true);
    else this.#reportEvent({ event: event?.event, injected: true, data: text }, atMs);
  }

  responseEnd(atMs: number): UnfinishedWork | undefined {
    this.#now = atMs;
    return this.#endResponse(true);
  }

  end(outcome: ExchangeOutcome, atMs: number): void {
    this.#now = atMs;
    // A body that was cut off was not ended before.
    this.#endRequest(false);
    this.#endResponse(false);
    this.#report(outcome, atMs);
  }

  #endRequest(isWhole: boolean): UnfinishedWork | undefined {
    const request = this.#request;
    this.#request = undefined;
    return request?.end(isWhole, this.#now);
  }

  #endResponse(isWhole: boolean): UnfinishedWork | undefined {
    const response = this.#response;
    this.#response = undefined;
    return response?.end(isWhole, this.#now);
  }

  #copy(headers: RawHeaders, direction: Direction, isEventStream: boolean): BodyCopy {
    const encoding = listOf(headers, 'content-encoding');
    return copyBody({ reader: this, direction, isEventStream, encoding, limit: this.#options.maxMessageBytes });
  }

  takeProblem(direction: Direction, reason: string): void {
    this.#reportGap(direction, reason);
  }

  takeWhole(body: Uint8Array | LongLine, direction: Direction): void {
    if ('sha256' in body) {
      this.#reportGap(direction, TOO_LONG, body);
      return;
    }
    const isOwn = this.#isOurs && direction === 'client_to_server';
    // An injected text is recorded as a message, even if it is not valid JSON-RPC.
    const read = isOwn ? objectsOf : rpcFramesOf;
    const frame = body.length === 0 ? undefined : read(textOf(body));
    if (direction === 'client_to_server') {
      const conversation = this.conversationOf(frame);
      if (frame?.kind === 'message' && frame.peek.kind === 'request') this.#requested = frame.text;
      if (frame !== undefined && !this.#isOurs) this.#options.heads.spoke(conversation, this.#asking);
    } else if (frame?.kind === 'message') this.#learn(frame.text);
    if (frame !== undefined) this.#add(frame, direction, this.#now, undefined, isOwn);
  }

  takeEvent(item: SseItem, atMs: number): void {
    const { event, id, retryMs, data, tooLong, cut } = item;
    if (tooLong !== undefined) {
      this.#reportGap('server_to_client', TOO_LONG, { size: tooLong });
      return;
    }
    const frame = data === undefined || data === '' || cut ? undefined : rpcFramesOf(data);
    if (frame !== undefined) {
      if (frame.kind === 'message') this.#learn(frame.text);
      this.#add(frame, 'server_to_client', atMs, sseOf(item));
      return;
    }
    const isEndpoint = event === 'endpoint' && data !== undefined;
    if (isEndpoint) this.#conversation.nameByEndpoint(data);
    const more = {
      event,
      ...(id !== undefined && { id }),
      ...(retryMs !== undefined && { retry: retryMs }),
      // The data of other events is not recorded, because it could contain anything.
      ...(isEndpoint ? { data } : { size: data?.length ?? 0 }),
      ...(cut && { cut }),
    };
    this.#reportEvent(more, atMs);
  }

  #reportEvent(more: Readonly<Record<string, unknown>>, atMs: number): void {
    const raw = { exchange: this.number, ...more };
    this.#options.entries().push(eventEntry('http.event', atMs, raw, this.#conversation.known));
  }

  /** Remembers the request in the body. */
  #ask(text: JsonText): void {
    if (readEnvelope(text).kind === 'request') this.#requested = text;
  }

  #learn(text: JsonText): void {
    const requested = this.#requested;
    // Checked cheaply, because every response passes here, and its request may be long.
    if (requested === undefined || requested.length > MAX_LISTING || !requested.includes('"tools/list"')) return;
    this.#options.tools.learn(text);
  }

  #addSettled(settled: readonly Settlement[], direction: Direction, sse?: JsonText): void {
    const { maker, entries } = this.#options;
    const place = { conversation: this.conversationOf(undefined), exchange: this.number, sse };
    maker.addSettled(settled, direction, entries(), place);
  }

  #add(frame: RpcBody, direction: Direction, atMs: number, sse?: JsonText, injected?: boolean): void {
    const { maker, entries } = this.#options;
    maker.addFrame(frame, direction, atMs, entries(), {
      conversation: this.conversationOf(frame),
      exchange: this.number,
      sse,
      injected,
    });
  }

  #reportGap(direction: Direction, why: string, more: Partial<LongLine> = {}): void {
    const raw = { missed: 1, why, dir: side(direction), exchange: this.number, ...more };
    this.#options.entries().push(eventEntry('mcpreel.gap', this.#now, raw, this.#conversation.known));
  }

  /** Records the outcome of the exchange. */
  #report(outcome: ExchangeOutcome, atMs: number): void {
    const { maker, heads, entries, onEnd } = this.#options;
    const head = this.#asking;
    const { ownAnswer, error, ms, bytes, redirectsTo } = outcome;
    const conversation = this.conversationOf(undefined);
    const ownFrame = ownAnswer?.text === undefined ? undefined : rpcFramesOf(ownAnswer.text);
    if (ownFrame !== undefined) this.#add(ownFrame, 'server_to_client', atMs, undefined, true);
    const finished = {
      exchange: this.number,
      method: head.method,
      path: head.path,
      status: ownAnswer?.status ?? this.#head?.status,
      requestHeaders: head.headers,
      responseHeaders: this.#head?.headers ?? [],
      ms,
      bytes,
      error,
      redirectsTo,
      askedBy: this.#isOurs ? ('mcpreel' as const) : undefined,
      answeredBy: ownAnswer === undefined ? undefined : ('mcpreel' as const),
    };
    entries().push(exchangeEntry(finished, atMs, conversation));
    maker.endExchange(this.number);
    if (this.#conversation.end(this.#head?.status, ownAnswer?.status)) heads.forget(conversation);
    onEnd();
  }
}

function sseOf({ event, id }: EventName): JsonText {
  return id === undefined ? `{"event":${JSON.stringify(event)}}` : JSON.stringify({ event, id });
}

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
}
