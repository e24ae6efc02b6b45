import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { JudgedFrame } from '../../intercept/held-message.ts';
import { answersIn, isUntouched, undelivered } from '../../intercept/judged-frame.ts';
import type { Direction } from '../../model/entry.ts';
import type { ExchangeTap, RequestHead, ResponseHead } from '../http/exchange-tap.ts';
import { hasBody, headerOf, headerPairs, mayHoldMessages, type RawHeaders } from '../http/http-headers.ts';
import type { IdleQueue } from '../http/idle-queue.ts';
import type { PassedResponse } from '../http/response-rewrite.ts';
import { type HeldBody, type HeldBodyOptions, type HttpHolding, holdBody } from './held-body.ts';
import { answerWith, type OwnAnswer, ownAnswerTo } from './own-answer.ts';
import { type SentBody, sentAnswer, sentRequest } from './sent-body.ts';

/** An answer on its way: what came, and what is passed on of it. */
export interface PassedAnswer extends PassedResponse {
  readonly answer: IncomingMessage;
  readonly original: ResponseHead;
  /** When its head came. */
  readonly atMs: number;
  /** Whether the body goes on without the encoding that it came with. */
  readonly isDecoded?: boolean;
}

/** What can be done with an exchange whose messages are held. */
export interface HoldableExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: RequestHead;
  readonly tap: ExchangeTap;
  readonly holding: HttpHolding;
  readonly idleQueue: IdleQueue;
  readonly nowMs: () => number;
  /** Body bytes in either direction so far. */
  readonly bytes: { in: number; out: number };
  /** Whether nobody waits for its answer any more. */
  readonly isOver: boolean;
  /** Begins the request to the target, if that can be done. */
  connect(head: RequestHead): ClientRequest | undefined;
  /** Sends the body as it comes, after what was kept back of it. */
  sendBody(upstream: ClientRequest, kept: readonly Uint8Array[], isWhole: boolean): void;
  /** Answers in the target's place. */
  reply(own: OwnAnswer): void;
  /** Passes the head of an answer on. False where that cannot be done. */
  writeHead(answer: IncomingMessage, headers: RawHeaders): boolean;
  /** Passes an answer on as it comes, after what was kept back of it. */
  passAnswer(passed: PassedAnswer, kept: readonly Uint8Array[], isWhole: boolean): void;
  /** All of the answer was passed on. */
  finishAnswer(passed: PassedAnswer, keepsTrailers: boolean): void;
}

/** Holds the messages of one exchange that are no events of a stream. */
export class ExchangeHold {
  readonly #exchange: HoldableExchange;
  /** What we answer ourselves to some messages of a batch while others wait for the target. */
  #owed: readonly string[] = [];
  #hasContinued = false;

  constructor(exchange: HoldableExchange) {
    this.#exchange = exchange;
  }

  static canHold({ headers }: RequestHead): boolean {
    return hasBody(headers) && mayHoldMessages(headers);
  }

  /** Whether the client was told already to go on with its request. */
  get hasContinued(): boolean {
    return this.#hasContinued;
  }

  get owed(): readonly string[] {
    return this.#owed;
  }

  holdRequest(): void {
    const { request, response, head } = this.#exchange;
    if (/^100-continue$/i.test(headerOf(head.headers, 'expect') ?? '')) {
      // The target, which would say so, is not asked before all of the request is here.
      this.#hasContinued = true;
      response.writeContinue();
    }
    holdBody(request, this.#options('client_to_server', head.headers), (held) => this.#releaseRequest(held));
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

  #releaseRequest({ chunks, isWhole, atMs, judged }: HeldBody): void {
    const { request, head, holding, tap, idleQueue, isOver } = this.#exchange;
    const isGone = isOver || (!isWhole && request.destroyed);
    if (judged === undefined || isUntouched(judged)) {
      if (isGone) return;
      const upstream = this.#exchange.connect(head);
      if (upstream !== undefined) this.#exchange.sendBody(upstream, chunks, isWhole);
      return;
    }
    const reported = isGone ? undelivered(judged) : judged;
    this.#exchange.bytes.in += sizeOf(chunks);
    idleQueue.add(() => tap.requestJudged(reported, atMs));
    if (isGone) return;
    const sent = sentRequest(head, { chunks, judged }, holding);
    if (sent === undefined) this.#answerOurselves(judged);
    else this.#send(sent);
    if (holding.answersOnStream) this.#sayAnswers('server_to_client', judged);
    else if (sent !== undefined) this.#owed = answersIn(judged);
  }

  #send({ headers, chunks, isSame }: SentBody): void {
    const { request, head } = this.#exchange;
    const upstream = this.#exchange.connect({ ...head, headers });
    if (upstream === undefined) return;
    for (const chunk of chunks) upstream.write(chunk);
    if (isSame && request.rawTrailers.length > 0) upstream.addTrailers(headerPairs(request.rawTrailers));
    upstream.end();
  }

  #answerOurselves(judged: JudgedFrame): void {
    const { head, holding } = this.#exchange;
    const own = ownAnswerTo(head, judged, holding.answersOnStream);
    // Otherwise the client waits for an answer that will not come, as it would if the target had lost the request.
    if (own !== undefined) this.#exchange.reply(own);
  }

  #releaseAnswer(passed: PassedAnswer, held: HeldBody): void {
    const { tap, idleQueue, isOver } = this.#exchange;
    const { chunks, isWhole, atMs, judged } = held;
    if (judged === undefined) {
      if (isOver) return;
      // Nothing was said, so what we have to say can be all of it.
      if (this.#owed.length > 0 && chunks.length === 0) this.#exchange.reply(this.#owedAnswer());
      else this.#exchange.passAnswer(passed, chunks, isWhole);
      return;
    }
    const isPlain = isUntouched(judged);
    if (isPlain && this.#owed.length === 0) {
      if (!isOver) this.#exchange.passAnswer(passed, chunks, isWhole);
      return;
    }
    const reported = isOver ? undelivered(judged) : judged;
    this.#exchange.bytes.out += sizeOf(chunks);
    idleQueue.add(() => tap.responseJudged(reported, atMs));
    this.#sayAnswers('client_to_server', reported);
    if (isOver) return;
    const sent = sentAnswer(passed.headers, { chunks, judged }, this.#owed);
    // A client whose answer was dropped waits on.
    if (sent === undefined || !this.#exchange.writeHead(passed.answer, sent.headers)) return;
    for (const chunk of sent.chunks) this.#exchange.response.write(chunk);
    for (const text of this.#owed) idleQueue.add(() => tap.sentByUs(text, atMs));
    this.#exchange.finishAnswer(passed, sent.isSame);
  }

  #owedAnswer(): OwnAnswer {
    return answerWith(this.#exchange.head, `[${this.#owed.join(',')}]`);
  }

  #sayAnswers(direction: Direction, judged: JudgedFrame): void {
    const { holding, tap } = this.#exchange;
    const conversation = tap.conversationOf(undefined);
    for (const text of answersIn(judged)) holding.say(direction, text, conversation);
  }
}

function sizeOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
