import { answersIn, undelivered } from '../../intercept/settled-frame.ts';
import type { JsonText } from '../../model/entry.ts';
import { errorAnswer } from '../../protocol/answer-text.ts';
import { textsOf } from '../../protocol/rpc-body.ts';
import type { BodySteering } from '../http/carried-body.ts';
import { type ContentDecoder, decoderFor } from '../http/content-decoder.ts';
import { headerOf, isPlain, listOf } from '../http/http-headers.ts';
import type { OpenStream } from '../http/open-stream.ts';
import { headersForDecoded } from './edited-headers.ts';
import { EventGate, type EventPassage } from './event-gate.ts';
import { type EventTail, STREAM_START, tailAfter } from './event-tail.ts';
import type { HoldableExchange, PassedAnswer } from './exchange-hold.ts';

/** Since this revision, streams may contain events with an id and empty data. */
const KNOWS_EMPTY_DATA = '2025-11-25';

/**
 * Steers the event stream of a response: events may be held, and messages injected. Until either is needed, it only
 * tracks the end of the stream.
 */
export class EventSteering implements BodySteering, OpenStream {
  readonly #exchange: HoldableExchange;
  readonly #passed: PassedAnswer;
  #tail: EventTail = STREAM_START;
  #gate: EventGate | undefined;
  #decoder: ContentDecoder | undefined;
  #isFull = false;
  #isPaused = false;
  #hasEnded = false;
  #isDecoded = false;
  #onDecoded: () => void = () => undefined;

  constructor(exchange: HoldableExchange, passed: PassedAnswer) {
    this.#exchange = exchange;
    this.#passed = passed;
  }

  /**
   * The response to forward, or `undefined` if its events cannot be parsed. An encoded stream must be decoded from its
   * start, and is then forwarded decoded.
   */
  begin(isSteered: boolean): PassedAnswer | undefined {
    const { headers } = this.#passed;
    if (isPlain(headers)) return this.#passed;
    const decoder = isSteered ? this.#decoderFor(listOf(headers, 'content-encoding')) : 'unknown';
    if (decoder === 'unknown') return undefined;
    this.#decoder = decoder;
    return { ...this.#passed, headers: headersForDecoded(headers), isDecoded: true };
  }

  get conversation(): number {
    const { idleQueue, tap } = this.#exchange;
    idleQueue.finish();
    return tap.conversationOf(undefined);
  }

  get isListening(): boolean {
    return this.#exchange.head.method === 'GET';
  }

  steers(chunk: Uint8Array): boolean {
    const { holding, bytes } = this.#exchange;
    if (this.#decoder !== undefined) this.#decoder.push(chunk);
    else if (this.#gate !== undefined || holding.interceptor.isWatching) this.#openGate().take(chunk);
    else {
      this.#tail = tailAfter(this.#tail, chunk);
      return false;
    }
    bytes.out += chunk.length;
    return true;
  }

  inject(text: JsonText): void {
    const { idleQueue, tap, nowMs } = this.#exchange;
    this.#openGate().inject(text, () => {
      const atMs = nowMs();
      idleQueue.add(() => tap.sentByUs(text, atMs, { event: 'message' }));
    });
  }

  /** The response has ended. Calls `onEmpty` when everything was forwarded. */
  end(onEmpty: () => void): void {
    const finish = (): void => (this.#gate === undefined ? onEmpty() : this.#gate.end(onEmpty));
    if (this.#decoder === undefined || this.#isDecoded) {
      finish();
      return;
    }
    this.#hasEnded = true;
    this.#onDecoded = finish;
    this.#decoder.end();
  }

  #openGate(): EventGate {
    if (this.#gate !== undefined) return this.#gate;
    const { holding, head, nowMs } = this.#exchange;
    const { interceptor, maxMessageBytes: limit, outOfOrder } = holding;
    const knowsEmptyData = (headerOf(head.headers, 'mcp-protocol-version') ?? '') >= KNOWS_EMPTY_DATA;
    const options = { interceptor, limit, outOfOrder, knowsEmptyData, nowMs, tail: this.#tail };
    this.#gate = new EventGate(options, this.#passage());
    return this.#gate;
  }

  #passage(): EventPassage {
    const { holding, tap, idleQueue, response } = this.#exchange;
    const from = { direction: 'server_to_client', exchange: tap.number } as const;
    return {
      write: (bytes) => this.#write(bytes),
      pause: () => {
        this.#isPaused = true;
        this.#passed.answer.pause();
      },
      resume: () => {
        this.#isPaused = false;
        this.#goOn();
      },
      look: (bytes, atMs) => idleQueue.addLong(() => tap.responseChunk(bytes, atMs), bytes.length),
      ask({ body, doubt }, atMs, onSettled) {
        // Earlier events must be recorded before this one.
        idleQueue.finish();
        const place = { ...from, conversation: tap.conversationOf(body) };
        return holding.interceptor.ask(
          textsOf(body),
          { ...place, atMs, inBatch: body.kind === 'batch', doubt },
          onSettled,
        );
      },
      replace: (text) => this.inject(text),
      unanswered: (why) => {
        idleQueue.finish();
        const id = tap.requestId;
        if (id !== undefined) this.inject(errorAnswer(id, `the response was not forwarded: ${why}`));
      },
      answer: (text) => holding.say('client_to_server', text, tap.conversationOf(undefined)),
      unread: (why) => holding.interceptor.unread({ ...from, conversation: tap.conversationOf(undefined), why }),
      onSettled(settled, event) {
        const reported = response.destroyed ? undelivered(settled) : settled;
        idleQueue.add(() => tap.responseSettled(reported, event));
        const conversation = tap.conversationOf(undefined);
        for (const answer of answersIn(reported)) holding.say('client_to_server', answer, conversation);
      },
    };
  }

  #decoderFor(encoding: string | undefined): ContentDecoder | 'unknown' | undefined {
    return decoderFor(encoding, {
      limit: Number.POSITIVE_INFINITY,
      onChunk: (chunk) => this.#openGate().take(chunk),
      onEnd: (problem) => {
        this.#isDecoded = true;
        if (this.#hasEnded) this.#onDecoded();
        else if (problem !== undefined) this.#passed.answer.destroy(new Error(problem));
      },
    });
  }

  #write(bytes: Uint8Array): void {
    const { response } = this.#exchange;
    const { answer, body } = this.#passed;
    const passed = body === undefined ? bytes : body.push(bytes);
    if (passed.length === 0 || response.destroyed || response.write(passed) || this.#isFull) return;
    this.#isFull = true;
    answer.pause();
    response.once('drain', () => {
      this.#isFull = false;
      this.#goOn();
    });
  }

  #goOn(): void {
    if (!this.#isFull && !this.#isPaused) this.#passed.answer.resume();
  }
}
