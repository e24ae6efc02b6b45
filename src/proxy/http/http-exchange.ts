import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { CLIENT_LEFT, SESSION_ENDED } from '../../model/exchange-ends.ts';
import { type BodyBudget, type CountedBody, RETRY_AFTER } from '../../transport/http/body-budget.ts';
import type { HttpTarget } from '../../transport/http/http-target.ts';
import { EventSteering } from '../http-hold/event-steering.ts';
import { ExchangeHold, type HoldableExchange, type PassedAnswer } from '../http-hold/exchange-hold.ts';
import type { HttpHolding } from '../http-hold/held-body.ts';
import type { OwnAnswer } from '../http-hold/own-answer.ts';
import { UnreadStream } from '../http-hold/unread-stream.ts';
import type { WriteCoalescer } from '../stdio/write-coalescer.ts';
import { carryBody } from './carried-body.ts';
import { answerHeaders, breakOff, onConnectionEnd, passInformation, whenRead } from './client-connection.ts';
import { DelayedTap } from './delayed-tap.ts';
import type { ExchangeOutcome, ExchangeTap, RequestHead } from './exchange-tap.ts';
import { headerPairs, isEventStream, mayBeEventStream, type RawHeaders } from './http-headers.ts';
import type { IdleQueue } from './idle-queue.ts';
import type { OpenStream } from './open-stream.ts';
import type { SentHeaders } from './request-head.ts';
import type { ResponseRewriter } from './response-rewrite.ts';
import { failureAnswer, failureOf, type UpstreamFailure } from './upstream-failure.ts';

/** The dependencies that all exchanges of a relay share. */
export interface HttpExchangeDeps {
  readonly target: HttpTarget;
  readonly nowMs: () => number;
  readonly idleQueue: IdleQueue;
  readonly rewriter: ResponseRewriter;
  /** Whether the session is ending, so that mcpreel itself closes open exchanges. */
  readonly isEnding: () => boolean;
  readonly holding: HttpHolding;
  readonly sentHeaders: SentHeaders;
  readonly bodies: BodyBudget;
  readonly endOfTurn: WriteCoalescer;
  /** Event streams on which mcpreel can inject messages, the newest last. */
  readonly streams: Set<OpenStream>;
  /** Exchanges that were held until the session ended, and were forwarded then. */
  readonly released: Set<HttpExchange>;
}

/** After a failure of the target, how long the client may take to send the rest of its request. */
const REST_OF_REQUEST_MS = 1000;

const NO_CHUNKS: readonly Uint8Array[] = [];

/** Forwards one HTTP request to the target and its response to the client. */
export class HttpExchange implements HoldableExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: RequestHead;
  readonly tap: ExchangeTap;
  readonly #copy: DelayedTap;
  readonly #deps: HttpExchangeDeps;
  readonly #beganAtMs: number;
  readonly bytes = { in: 0, out: 0 };
  #connectMs: number | undefined;
  #firstByteMs: number | undefined;
  #upstream: ClientRequest | undefined;
  #answered = false;
  #isComplete = false;
  #isOver = false;
  #error: string | undefined;
  #ownAnswer: ExchangeOutcome['ownAnswer'];
  #redirectsTo: string | undefined;
  #hold: ExchangeHold | undefined;
  #events: EventSteering | undefined;
  #unread: UnreadStream | undefined;
  #body: CountedBody | undefined;

  constructor(
    deps: HttpExchangeDeps,
    request: IncomingMessage,
    response: ServerResponse,
    head: RequestHead,
    begin: (head: RequestHead) => ExchangeTap,
  ) {
    this.#deps = deps;
    this.request = request;
    this.response = response;
    this.head = head;
    this.#beganAtMs = deps.nowMs();
    this.tap = begin(head);
    this.#copy = new DelayedTap(this.tap, deps.idleQueue);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get holding(): HttpHolding {
    return this.#deps.holding;
  }

  get idleQueue(): IdleQueue {
    return this.#deps.idleQueue;
  }

  get nowMs(): () => number {
    return this.#deps.nowMs;
  }

  /** Resolves when it is over. */
  get over(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver) resolve();
      else this.response.once('close', resolve);
    });
  }

  begin(): void {
    this.response.on('close', () => this.#end());
    if (this.response.socket === null) onConnectionEnd(this.request, this.response, () => this.#end());
    if (this.holding.interceptor.isWatching && ExchangeHold.canHold(this.head)) {
      this.#hold = new ExchangeHold(this);
      this.#hold.holdRequest(() => {
        if (this.#upstream === undefined) this.#body?.release();
      });
      this.#body = this.#deps.bodies.count(this.request, () => this.#refuseForNow());
      return;
    }
    const upstream = this.connect(this.head);
    if (upstream !== undefined) this.sendBody(upstream);
  }

  connect(head: RequestHead): ClientRequest | undefined {
    this.#body?.stop();
    const { target, rewriter, sentHeaders, endOfTurn } = this.#deps;
    const { method, path } = head;
    let upstream: ClientRequest;
    try {
      const headers = sentHeaders.of(head, target.url.host, rewriter.wantsPlain(path));
      upstream = target.request({ method, path, headers });
    } catch (error) {
      // A path or header that Node can parse but refuses to write.
      this.#fail(error as NodeJS.ErrnoException);
      return undefined;
    }
    this.#upstream = upstream;
    // A target that does not read leaves the body in memory.
    for (const event of ['finish', 'close']) upstream.once(event, () => this.#body?.release());
    if (this.#hold !== undefined && this.holding.interceptor.isClosed) this.#deps.released.add(this);
    upstream.on('socket', (socket) => {
      endOfTurn.gather(socket, this);
      if (!socket.connecting) this.#connectMs = 0;
      else socket.once('connect', () => (this.#connectMs = this.#sinceBegin()));
    });
    upstream.on('information', (info) => {
      if (info.statusCode !== 100 || !this.#hold?.hasContinued) passInformation(info, this.request, this.response);
    });
    upstream.on('response', (answer) => this.#answer(answer));
    upstream.on('upgrade', () => this.#fail(new Error('it switched to another protocol')));
    upstream.on('error', (error: NodeJS.ErrnoException) => this.#fail(error));
    return upstream;
  }

  sendBody(upstream: ClientRequest, kept: readonly Uint8Array[] = NO_CHUNKS, isWhole = false): void {
    const { request, bytes } = this;
    const copy = this.#copy;
    const { nowMs, endOfTurn } = this.#deps;
    let begun = false;
    const look = (chunk: Uint8Array): void => {
      begun = true;
      bytes.in += chunk.length;
      copy.requestChunk(chunk, nowMs());
    };
    const end = (): void => {
      begun = true;
      if (request.rawTrailers.length > 0) upstream.addTrailers(headerPairs(request.rawTrailers));
      endOfTurn.end(upstream, this);
      copy.requestEnd(nowMs());
    };
    for (const chunk of kept) {
      upstream.write(chunk);
      look(chunk);
    }
    if (isWhole) {
      end();
      return;
    }
    // The head is sent with the first body chunk if that is available in this turn, and alone otherwise.
    endOfTurn.add(() => {
      if (!begun && !upstream.destroyed) upstream.flushHeaders();
    });
    carryBody(request, upstream, look);
    request.on('end', end);
    request.on('close', () => {
      if (!request.complete) upstream.destroy();
    });
    if (this.#hold !== undefined) request.resume();
  }

  /** Too many bodies wait. The rest of this one is not read. */
  #refuseForNow(): void {
    this.response.writeHead(503, [...RETRY_AFTER, 'Content-Length', '0', 'Connection', 'close']);
    this.response.end();
    this.request.destroy();
  }

  #answer(answer: IncomingMessage): void {
    const { nowMs, rewriter, holding } = this.#deps;
    const { statusCode: status = 502, rawHeaders } = answer;
    const atMs = nowMs();
    this.#answered = true;
    this.#firstByteMs = this.#sinceBegin();
    const original = { status, headers: rawHeaders };
    const { headers, body, redirectsTo } = rewriter.rewriteOf(this.head, original);
    this.#redirectsTo = redirectsTo;
    const passed = { answer, original, headers, body, atMs };
    const isWatched = holding.interceptor.isWatching || this.#isOwing;
    if (isWatched ? mayBeEventStream(rawHeaders) : isEventStream(rawHeaders)) this.#answerWithEvents(passed);
    else if (isWatched && body === undefined) {
      this.#hold ??= new ExchangeHold(this);
      this.#hold.holdAnswer(passed);
    } else this.passAnswer(passed);
    answer.on('error', (error: NodeJS.ErrnoException) => this.#fail(error));
    answer.on('close', () => {
      if (!answer.complete) this.#fail(new Error('the connection was closed before the end of the response'));
    });
  }

  passAnswer(passed: PassedAnswer, kept?: readonly Uint8Array[], isWhole = false): void {
    const { response, bytes } = this;
    const copy = this.#copy;
    const { nowMs, endOfTurn } = this.#deps;
    const { answer, original, headers, body, atMs, isDecoded } = passed;
    // A pipelined response that waits for earlier ones has no socket yet.
    if (response.socket !== null) endOfTurn.gather(response.socket, this);
    if (!this.writeHead(answer, headers)) return;
    if (kept === undefined) copy.response(original, atMs, isDecoded);
    let begun = false;
    const look = (chunk: Uint8Array): void => {
      begun = true;
      bytes.out += chunk.length;
      copy.responseChunk(chunk, nowMs());
    };
    const end = (): void => {
      begun = true;
      if (!answer.complete) return;
      if (this.#events === undefined) this.finishAnswer(passed);
      else this.#events.end(() => this.finishAnswer(passed));
    };
    for (const chunk of kept ?? NO_CHUNKS) {
      response.write(chunk);
      look(chunk);
    }
    if (isWhole) {
      end();
      return;
    }
    endOfTurn.add(() => {
      if (!begun && !response.destroyed) response.flushHeaders();
    });
    carryBody(answer, response, look, body, this.#events ?? this.#unread);
    answer.on('end', end);
    if (kept !== undefined) answer.resume();
  }

  writeHead({ statusCode = 502, statusMessage }: IncomingMessage, headers: RawHeaders): boolean {
    try {
      this.response.sendDate = false;
      this.response.writeHead(statusCode, statusMessage, answerHeaders(headers, this.request));
      return true;
    } catch (error) {
      this.#answered = false;
      this.#fail(error as NodeJS.ErrnoException);
      return false;
    }
  }

  finishAnswer({ answer, body }: PassedAnswer, keepsTrailers = true): void {
    const { response } = this;
    const { nowMs, endOfTurn } = this.#deps;
    this.#isComplete = true;
    const rest = body?.end();
    if (rest !== undefined && rest.length > 0) response.write(rest);
    if (keepsTrailers && answer.rawTrailers.length > 0) response.addTrailers(headerPairs(answer.rawTrailers));
    endOfTurn.end(response, this);
    this.#copy.responseEnd(nowMs());
  }

  #answerWithEvents(passed: PassedAnswer): void {
    const events = new EventSteering(this, passed);
    const steerable = events.begin(this.holding.interceptor.isWatching || this.#isOwing);
    if (steerable === undefined) {
      this.#unread = new UnreadStream(this, passed);
      if (!this.#unread.replaces()) this.passAnswer(passed);
      return;
    }
    this.#events = events;
    this.#deps.streams.add(events);
    this.passAnswer(steerable);
    for (const text of this.#hold?.owed ?? []) this.#events?.inject(text);
  }

  get #isOwing(): boolean {
    return this.#hold !== undefined && this.#hold.owed.length > 0;
  }

  /** The target is unreachable, or its response was cut off. */
  #fail(error: NodeJS.ErrnoException): void {
    const isSettled = this.#isComplete || this.#ownAnswer !== undefined || this.#error !== undefined;
    if (isSettled || this.response.destroyed) return;
    const failure = failureOf(error, this.#deps.target.url, this.#answered);
    this.#error = failure.reason;
    this.#upstream?.destroy();
    // The error needs the request's id, and the request may still be arriving.
    if (!this.#answered) whenRead(this.request, REST_OF_REQUEST_MS, () => this.#reportFailure(failure));
    // Data that arrived before is sent first.
    else if (this.#events === undefined) breakOff(this.response);
    else this.#events.end(() => breakOff(this.response));
  }

  #reportFailure(failure: UpstreamFailure): void {
    this.#deps.idleQueue.afterAll(() => {
      this.reply({ status: failure.status, ...failureAnswer(failure, this.head, this.tap.requestId) });
    });
  }

  reply({ status, contentType, body, text }: OwnAnswer): void {
    const { response } = this;
    if (response.destroyed || response.headersSent) return;
    this.#ownAnswer = { status, text };
    const type = contentType === undefined ? {} : { 'Content-Type': contentType };
    response.writeHead(status, { ...type, 'Content-Length': Buffer.byteLength(body) });
    response.end(this.head.method === 'HEAD' ? '' : body);
  }

  replace(own: OwnAnswer): void {
    this.reply(own);
    this.#upstream?.destroy();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#body?.release();
    const { nowMs, isEnding, streams } = this.#deps;
    const wasCut = !this.#isComplete && this.#ownAnswer === undefined;
    if (wasCut) this.#error ??= isEnding() ? SESSION_ENDED : CLIENT_LEFT;
    // The client left early, or got its response before its whole request was read.
    if (wasCut || this.#upstream?.writableEnded === false) this.#upstream?.destroy();
    if (wasCut && this.holding.interceptor.isWatching) this.#withdraw();
    if (this.#events !== undefined) {
      streams.delete(this.#events);
      this.#events.end(() => undefined);
    }
    const outcome: ExchangeOutcome = {
      ms: { connect: this.#connectMs, firstByte: this.#firstByteMs, end: this.#sinceBegin() },
      bytes: this.bytes,
      error: this.#error,
      redirectsTo: this.#redirectsTo,
      ownAnswer: this.#ownAnswer,
    };
    this.#copy.end(outcome, nowMs());
  }

  /** Drops held messages of this exchange, because the client no longer waits for them. */
  #withdraw(): void {
    const { interceptor } = this.holding;
    const own = interceptor.held.filter(({ exchange }) => exchange === this.tap.number);
    for (const { id } of own) interceptor.decide(id, { action: 'drop' }, 'end');
  }

  #sinceBegin(): number {
    return this.#deps.nowMs() - this.#beganAtMs;
  }
}
