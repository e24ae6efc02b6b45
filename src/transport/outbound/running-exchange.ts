import type { ClientRequest, IncomingMessage } from 'node:http';
import type { HeaderPair, HttpTarget } from '../http/http-target.ts';
import { unreachableReason } from '../unreachable.ts';
import { LinkAnswer } from './link-answer.ts';
import type { LinkFailure } from './own-answer.ts';
import type { SharedPause } from './shared-pause.ts';
import type { LinkExchange } from './target-link.ts';

export interface LinkRequest {
  readonly method: 'DELETE' | 'GET' | 'POST';
  /** Where it goes, if that is not the target's own address. */
  readonly path?: string | undefined;
  readonly headers: readonly HeaderPair[];
  readonly body?: string | undefined;
}

/** Deals with an answer, or with the reason why there is none; returns what went wrong, if anything did. */
export type AnswerTaker = (answer: LinkAnswer | LinkFailure) => Promise<LinkFailure | undefined>;

/** What an exchange needs to know of the link that it belongs to. */
export interface ExchangeSetting {
  readonly exchange: number;
  readonly target: HttpTarget;
  readonly addedHeaders: readonly HeaderPair[];
  readonly pause: SharedPause;
  readonly maxMessageBytes: number;
  readonly nowMs: () => number;
  readonly onOver: (reported: LinkExchange) => void;
}

/** One exchange with a target, from its request to the end of its answer. */
export class RunningExchange {
  /** Resolves when all of the request has left, or never will. */
  readonly written: Promise<unknown>;
  /** Resolves when the answer has begun, or will not come. */
  readonly answered: Promise<unknown>;
  /** Resolves when all is over and told. */
  readonly over: Promise<void>;
  readonly #setting: ExchangeSetting;
  readonly #outgoing: ClientRequest;
  readonly #reported: Pick<LinkExchange, 'exchange' | 'method' | 'path' | 'requestHeaders'>;
  readonly #requestBytes: number;
  readonly #beganMs: number;
  #firstByteMs: number | undefined;
  #isAborted = false;

  constructor(setting: ExchangeSetting, request: LinkRequest, take: AnswerTaker) {
    const { exchange, target, addedHeaders, nowMs } = setting;
    const { method, body, path = `${target.url.pathname}${target.url.search}` } = request;
    this.#setting = setting;
    this.#requestBytes = body === undefined ? 0 : Buffer.byteLength(body);
    const framing: HeaderPair[] = body === undefined ? [] : [['Content-Length', String(this.#requestBytes)]];
    const own = without(addedHeaders, [['Host', target.url.host], ...request.headers, ...framing]);
    this.#reported = { exchange, method, path, requestHeaders: own.flat() };
    this.#beganMs = nowMs();
    this.#outgoing = target.request({ method, path, headers: [...own, ...addedHeaders].flat() });
    this.written = new Promise((resolve) => {
      this.#outgoing.once('finish', resolve);
      this.#outgoing.once('close', resolve);
    });
    const answer = this.#answer();
    this.answered = answer;
    this.over = this.#run(answer, take);
    this.#outgoing.end(body);
  }

  /** Ends it early; whatever it lacks then is no failure. */
  abort(): void {
    this.#isAborted = true;
    this.#outgoing.destroy();
  }

  async #answer(): Promise<LinkAnswer | LinkFailure> {
    const { target, exchange, pause, maxMessageBytes, nowMs } = this.#setting;
    const { host } = target.url;
    const response = await responseTo(this.#outgoing);
    if (response instanceof Error) return { reason: `no answer from ${host}: ${unreachableReason(response)}` };
    this.#firstByteMs = nowMs() - this.#beganMs;
    return new LinkAnswer({ response, exchange, pause, maxMessageBytes, host });
  }

  async #run(answering: Promise<LinkAnswer | LinkFailure>, take: AnswerTaker): Promise<void> {
    const answer = await answering;
    const failure = await take(answer);
    const response = answer instanceof LinkAnswer ? answer : undefined;
    // Where it was not read to its end it must not hold the connection.
    response?.discard();
    this.#setting.onOver({
      ...this.#reported,
      status: response?.status,
      responseHeaders: response?.rawHeaders ?? [],
      bytes: { request: this.#requestBytes, response: response?.bytes ?? 0 },
      ms: { firstByte: this.#firstByteMs, end: this.#setting.nowMs() - this.#beganMs },
      error: this.#isAborted ? undefined : failure?.reason,
    });
  }
}

/** The beginning of the answer, or why there is none. */
function responseTo(outgoing: ClientRequest): Promise<IncomingMessage | Error> {
  return new Promise((resolve) => {
    outgoing.once('response', resolve);
    // On every error, not the first alone: an unheard one would end the process.
    outgoing.on('error', resolve);
    outgoing.once('close', () => resolve(new Error('it closed the connection')));
  });
}

/** Headers of ours that are not replaced by these. */
function without(replacing: readonly HeaderPair[], own: readonly HeaderPair[]): HeaderPair[] {
  const names = new Set(replacing.map(([name]) => name.toLowerCase()));
  return own.filter(([name]) => !names.has(name.toLowerCase()));
}
