import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Settlement } from '../../intercept/held-message.ts';
import { answersIn, isUntouched, refusalIn, undelivered } from '../../intercept/settled-frame.ts';
import type { Direction } from '../../model/entry.ts';
import type { ExchangeTap, RequestHead, ResponseHead } from '../http/exchange-tap.ts';
import { hasBody, headerOf, headerPairs, type RawHeaders } from '../http/http-headers.ts';
import type { IdleQueue } from '../http/idle-queue.ts';
import type { PassedResponse } from '../http/response-rewrite.ts';
import { type HeldBody, type HeldBodyOptions, type HttpHolding, holdBody } from './held-body.ts';
import { answerWith, type OwnAnswer, ownAnswerTo, refusalOf } from './own-answer.ts';
import { type SentBody, sentAnswer, sentRequest } from './sent-body.ts';

/** A response as received, and what is forwarded of it. */
export interface PassedAnswer extends PassedResponse {
  readonly answer: IncomingMessage;
  readonly original: ResponseHead;
  /** When its head arrived. */
  readonly atMs: number;
  /** Whether the body is forwarded decoded. */
  readonly isDecoded?: boolean;
}

/** The operations that holding an exchange's messages needs. */
export interface HoldableExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: RequestHead;
  readonly tap: ExchangeTap;
  readonly holding: HttpHolding;
  readonly idleQueue: IdleQueue;
  readonly nowMs: () => number;
  /** Body bytes in each direction so far. */
  readonly bytes: { in: number; out: number };
  /** Whether the client no longer waits for the response. */
  readonly isOver: boolean;
  /** Starts the request to the target; `undefined` if that fails. */
  connect(head: RequestHead): ClientRequest | undefined;
  /** Streams the request body, after the chunks that were kept back. */
  sendBody(upstream: ClientRequest, kept: readonly Uint8Array[], isWhole: boolean): void;
  /** Responds in place of the target. */
  reply(own: OwnAnswer): void;
  /** Responds in place of the target, whose response is not forwarded. */
  replace(own: OwnAnswer): void;
  /** Forwards the head of a response. Returns false if that fails. */
  writeHead(answer: IncomingMessage, headers: RawHeaders): boolean;
  /** Streams a response, after the chunks that were kept back. */
  passAnswer(passed: PassedAnswer, kept: readonly Uint8Array[], isWhole: boolean): void;
  /** Finishes a response that was forwarded completely. */
  finishAnswer(passed: PassedAnswer, keepsTrailers: boolean): void;
}

/** Holds the messages of one HTTP exchange, except those in event streams. */
export class ExchangeHold {
  readonly #exchange: HoldableExchange;
  /** mcpreel's own answers to some messages of a batch, while the target answers the others. */
  #owed: readonly string[] = [];
  #hasContinued = false;

  constructor(exchange: HoldableExchange) {
    this.#exchange = exchange;
  }

  static canHold({ headers }: RequestHead): boolean {
    return hasBody(headers);
  }

  /** Whether mcpreel already sent 100 Continue to the client. */
  get hasContinued(): boolean {
    return this.#hasContinued;
  }

  get owed(): readonly string[] {
    return this.#owed;
  }

  /** Holds the request's messages. Calls back when they are decided, and forwarded if they are. */
  holdRequest(onDecided: () => void): void {
    const { request, response, head } = this.#exchange;
    if (/^100-continue$/i.test(headerOf(head.headers, 'expect') ?? '')) {
      // The target, which would send this, is contacted only after the whole request is read.
      this.#hasContinued = true;
      response.writeContinue();
    }
    holdBody(request, this.#options('client_to_server', head.headers), (held) => {
      this.#releaseRequest(held);
      onDecided();
    });
  }

  holdAnswer(passed: PassedAnswer): void {
    const { tap, idleQueue } = this.#exchange;
    const { answer, original, atMs } = passed;
    idleQueue.add(() => tap.response(original, atMs));
    holdBody(answer, this.#options('server_to_client', original.headers), (held) => this.#releaseAnswer(passed, held));
  }

  #options(direction: Direction, headers: RawHeaders): HeldBodyOptions {
    const { holding, tap, idleQueue, nowMs } = this.#exchange;
    return { holding, headers, direction, tap, idleQueue, nowMs };
  }

  #releaseRequest({ chunks, isWhole, settled, refused, atMs }: HeldBody): void {
    const { request, head, holding, tap, idleQueue, isOver } = this.#exchange;
    const isGone = isOver || (!isWhole && request.destroyed);
    if (refused !== undefined) {
      this.#exchange.bytes.in += sizeOf(chunks);
      for (const chunk of chunks) idleQueue.addLong(() => tap.requestChunk(chunk, atMs), chunk.length);
      idleQueue.addLong(() => tap.requestEnd(atMs), 0);
      if (!isGone) this.#exchange.reply(refusalOf(head, refused));
      return;
    }
    if (settled === undefined || isUntouched(settled)) {
      if (isGone) return;
      const upstream = this.#exchange.connect(head);
      if (upstream !== undefined) this.#exchange.sendBody(upstream, chunks, isWhole);
      return;
    }
    const reported = isGone ? undelivered(settled) : settled;
    this.#exchange.bytes.in += sizeOf(chunks);
    idleQueue.add(() => tap.requestSettled(reported));
    if (isGone) return;
    const sent = sentRequest(head, { chunks, settled }, holding);
    if (sent === undefined) this.#answerOurselves(settled);
    else this.#send(sent);
    if (holding.answersOnStream) this.#sayAnswers('server_to_client', settled);
    else if (sent !== undefined) this.#owed = answersIn(settled);
  }

  #send({ headers, chunks, isSame }: SentBody): void {
    const { request, head } = this.#exchange;
    const upstream = this.#exchange.connect({ ...head, headers });
    if (upstream === undefined) return;
    for (const chunk of chunks) upstream.write(chunk);
    if (isSame && request.rawTrailers.length > 0) upstream.addTrailers(headerPairs(request.rawTrailers));
    upstream.end();
  }

  #answerOurselves(settled: readonly Settlement[]): void {
    const { head, holding } = this.#exchange;
    const own = ownAnswerTo(head, settled, holding.answersOnStream);
    // Otherwise the client waits for an answer that will not come, as if the target had lost the request.
    if (own !== undefined) this.#exchange.reply(own);
  }

  #releaseAnswer(passed: PassedAnswer, held: HeldBody): void {
    const { tap, idleQueue, isOver } = this.#exchange;
    const { chunks, isWhole, atMs, settled, refused } = held;
    if (settled === undefined) {
      if (isOver) return;
      if (refused !== undefined) {
        this.#refuseAnswer(refused);
        return;
      }
      // The target sent no body, so mcpreel's own answers are the whole response.
      if (this.#owed.length > 0 && chunks.length === 0) this.#exchange.reply(this.#owedAnswer());
      else this.#exchange.passAnswer(passed, chunks, isWhole);
      return;
    }
    const isPlain = isUntouched(settled);
    if (isPlain && this.#owed.length === 0) {
      if (!isOver) this.#exchange.passAnswer(passed, chunks, isWhole);
      return;
    }
    const reported = isOver ? undelivered(settled) : settled;
    this.#exchange.bytes.out += sizeOf(chunks);
    idleQueue.add(() => tap.responseSettled(reported));
    this.#sayAnswers('client_to_server', reported);
    if (isOver) return;
    const sent = sentAnswer(passed.headers, { chunks, settled }, this.#owed);
    const why = sent === undefined ? refusalIn(settled) : undefined;
    if (why !== undefined) {
      this.#refuseAnswer(why);
      return;
    }
    // A client whose answer was dropped keeps waiting.
    if (sent === undefined || !this.#exchange.writeHead(passed.answer, sent.headers)) return;
    for (const chunk of sent.chunks) this.#exchange.response.write(chunk);
    for (const text of this.#owed) idleQueue.add(() => tap.sentByUs(text, atMs));
    this.#exchange.finishAnswer(passed, sent.isSame);
  }

  #refuseAnswer(why: string): void {
    const { head, tap, idleQueue } = this.#exchange;
    // The request, whose id the error needs, may not be recorded yet.
    idleQueue.afterAll(() => this.#exchange.replace(refusalOf(head, why, tap.requestId)));
  }

  #owedAnswer(): OwnAnswer {
    return answerWith(this.#exchange.head, `[${this.#owed.join(',')}]`);
  }

  #sayAnswers(direction: Direction, settled: readonly Settlement[]): void {
    const { holding, tap } = this.#exchange;
    const conversation = tap.conversationOf(undefined);
    for (const text of answersIn(settled)) holding.say(direction, text, conversation);
  }
}

function sizeOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
