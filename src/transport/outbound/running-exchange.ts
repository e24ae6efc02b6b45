import type { ClientRequest, IncomingMessage } from 'node:http';
import type { HeaderPair, HttpTarget } from '../http/http-target.ts';
import { redirectOf } from '../http/redirect.ts';
import { unreachableReason } from '../unreachable.ts';
import { LinkAnswer } from './link-answer.ts';
import type { LinkFailure } from './own-answer.ts';
import type { SharedPause } from './shared-pause.ts';
import type { LinkExchange } from './target-link.ts';

export interface LinkRequest {
  readonly method: 'DELETE' | 'GET' | 'POST';
  /** The path, if it differs from the target's own. */
  readonly path?: string | undefined;
  readonly headers: readonly HeaderPair[];
  readonly body?: string | undefined;
}

/** Handles a response, or the failure in its place. Returns the failure to report, if any. */
export type AnswerTaker = (answer: LinkAnswer | LinkFailure) => Promise<LinkFailure | undefined>;

/** The dependencies of an exchange, provided by its link. */
export interface ExchangeSetting {
  readonly exchange: number;
  readonly target: HttpTarget;
  readonly addedHeaders: readonly HeaderPair[];
  readonly pause: SharedPause;
  readonly maxMessageBytes: number;
  readonly nowMs: () => number;
  /** Called for a response that redirected the request within the target's origin. */
  readonly onRedirected: (reported: LinkExchange) => void;
  readonly onOver: (reported: LinkExchange) => void;
}

/** How many redirects are followed. */
const MAX_REDIRECTS = 5;

/**
 * One HTTP exchange with a target, from its request to the end of its response. Redirects within the target's origin
 * are followed with the same method and body. Credentials are never sent elsewhere.
 */
export class RunningExchange {
  /** Resolves when the request was written, or the connection closed. */
  readonly written: Promise<unknown>;
  /** Resolves when the response has begun, or failed. */
  readonly answered: Promise<unknown>;
  /** Resolves when the exchange is over and reported. */
  readonly over: Promise<void>;
  readonly #setting: ExchangeSetting;
  readonly #request: LinkRequest;
  readonly #requestBytes: number;
  readonly #own: readonly HeaderPair[];
  #outgoing: ClientRequest;
  #path: string;
  #beganMs: number;
  #redirectsTo: string | undefined;
  #firstByteMs: number | undefined;
  #isAborted = false;

  constructor(setting: ExchangeSetting, request: LinkRequest, take: AnswerTaker) {
    const { target, addedHeaders, nowMs } = setting;
    const { body, path = `${target.url.pathname}${target.url.search}` } = request;
    this.#setting = setting;
    this.#request = request;
    this.#requestBytes = body === undefined ? 0 : Buffer.byteLength(body);
    const framing: HeaderPair[] = body === undefined ? [] : [['Content-Length', String(this.#requestBytes)]];
    this.#own = without(addedHeaders, [['Host', target.url.host], ...request.headers, ...framing]);
    this.#path = path;
    this.#beganMs = nowMs();
    this.#outgoing = this.#begin();
    this.written = new Promise((resolve) => {
      this.#outgoing.once('finish', resolve);
      this.#outgoing.once('close', resolve);
    });
    const answer = this.#answer();
    this.answered = answer;
    this.over = this.#run(answer, take);
    this.#outgoing.end(body);
  }

  /** Ends the exchange early, without reporting a failure. */
  abort(): void {
    this.#isAborted = true;
    this.#outgoing.destroy();
  }

  #begin(): ClientRequest {
    const { target, addedHeaders } = this.#setting;
    const { method } = this.#request;
    return target.request({ method, path: this.#path, headers: [...this.#own, ...addedHeaders].flat() });
  }

  async #answer(): Promise<LinkAnswer | LinkFailure> {
    const { target, exchange, pause, maxMessageBytes, nowMs } = this.#setting;
    const { host } = target.url;
    for (let redirects = 0; ; redirects++) {
      const response = await responseTo(this.#outgoing);
      if (response instanceof Error) return { reason: `no response from ${host}: ${unreachableReason(response)}` };
      this.#firstByteMs = nowMs() - this.#beganMs;
      const answer = new LinkAnswer({ response, exchange, pause, maxMessageBytes, host });
      if (this.#isAborted || redirects === MAX_REDIRECTS || !this.#follows(answer)) return answer;
    }
  }

  /** Whether a response redirects within the target's origin, so that the request was sent again. */
  #follows(answer: LinkAnswer): boolean {
    const { target, onRedirected, nowMs } = this.#setting;
    const { method, body } = this.#request;
    const address = redirectOf(answer.status, answer.header('location'), `${target.url.origin}${this.#path}`);
    if (address === undefined) return false;
    if (address.origin !== target.url.origin) {
      this.#redirectsTo = address.origin;
      return false;
    }
    // It asks for a GET, whose response would not answer the messages.
    if (answer.status === 303 && method === 'POST') return false;
    onRedirected(this.#report(answer, undefined));
    answer.discard();
    this.#path = `${address.pathname}${address.search}`;
    this.#beganMs = nowMs();
    this.#outgoing = this.#begin();
    this.#outgoing.end(body);
    return true;
  }

  async #run(answering: Promise<LinkAnswer | LinkFailure>, take: AnswerTaker): Promise<void> {
    const answer = await answering;
    const failure = await take(answer);
    const response = answer instanceof LinkAnswer ? answer : undefined;
    // A response that was not read to its end would keep the connection busy.
    response?.discard();
    this.#setting.onOver(this.#report(response, this.#isAborted ? undefined : failure?.reason));
  }

  #report(response: LinkAnswer | undefined, error: string | undefined): LinkExchange {
    return {
      exchange: this.#setting.exchange,
      method: this.#request.method,
      path: this.#path,
      requestHeaders: this.#own.flat(),
      status: response?.status,
      responseHeaders: response?.rawHeaders ?? [],
      bytes: { request: this.#requestBytes, response: response?.bytes ?? 0 },
      ms: { firstByte: this.#firstByteMs, end: this.#setting.nowMs() - this.#beganMs },
      error,
      redirectsTo: this.#redirectsTo,
    };
  }
}

/** The response, or the error that prevented it. */
function responseTo(outgoing: ClientRequest): Promise<IncomingMessage | Error> {
  return new Promise((resolve) => {
    outgoing.once('response', resolve);
    // Listens for every error, not only the first: an error without a listener would end the process.
    outgoing.on('error', resolve);
    outgoing.once('close', () => resolve(new Error('it closed the connection')));
  });
}

/** mcpreel's own headers, without those that the user's headers replace. */
function without(replacing: readonly HeaderPair[], own: readonly HeaderPair[]): HeaderPair[] {
  const names = new Set(replacing.map(([name]) => name.toLowerCase()));
  return own.filter(([name]) => !names.has(name.toLowerCase()));
}
