import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { JsonText } from '../../model/entry.ts';
import type { HeaderPair, HttpTarget } from '../../transport/http/http-target.ts';
import { headersForBody, headersForOwn } from '../http-hold/edited-headers.ts';
import type { HttpHolding } from '../http-hold/held-body.ts';
import { sendOwn } from '../http-hold/own-request.ts';
import { WriteCoalescer } from '../stdio/write-coalescer.ts';
import type { ExchangeTap, RequestHead } from './exchange-tap.ts';
import { HttpExchange, type HttpExchangeDeps } from './http-exchange.ts';
import type { IdleQueue } from './idle-queue.ts';
import type { OpenStream } from './open-stream.ts';
import { requestHead, SentHeaders } from './request-head.ts';
import type { ResponseRewriter } from './response-rewrite.ts';

export interface HttpRelayOptions {
  readonly target: HttpTarget;
  /** Sent to the target in place of the client's own of the same names. */
  readonly addedHeaders: readonly HeaderPair[];
  /** Whether the target is told the host that the client asked for. */
  readonly keepsHost: boolean;
  readonly nowMs: () => number;
  readonly idleQueue: IdleQueue;
  /** Begins the copy of an exchange; `isOurs` where no client has asked. */
  readonly begin: (head: RequestHead, isOurs?: boolean) => ExchangeTap;
  readonly rewriter: ResponseRewriter;
  readonly holding: HttpHolding;
  /** Whether it is us who end whatever is still open. */
  readonly isEnding: () => boolean;
}

/** Carries requests to the target and answers back as they are: raw headers, raw bytes, each as soon as it comes. */
export class HttpRelay {
  readonly #options: HttpRelayOptions;
  readonly #deps: HttpExchangeDeps;
  readonly #own = new Set<ClientRequest>();
  readonly #streams = new Set<OpenStream>();
  readonly #released = new Set<HttpExchange>();

  constructor(options: HttpRelayOptions) {
    const { target, keepsHost, addedHeaders } = options;
    this.#options = options;
    this.#deps = {
      ...options,
      sentHeaders: new SentHeaders({ host: keepsHost ? undefined : target.url.host, added: addedHeaders }),
      endOfTurn: new WriteCoalescer(),
      streams: this.#streams,
      released: this.#released,
    };
  }

  /** Event streams that we may say something on, the newest last. */
  get streams(): readonly OpenStream[] {
    return [...this.#streams];
  }

  carry(request: IncomingMessage, response: ServerResponse, path: string): void {
    new HttpExchange(this.#deps, request, response, requestHead(request, path), this.#options.begin).begin();
  }

  /** Sends a message of our own to the target, as a client would that has sent this before. */
  say(text: JsonText, { path, headers }: RequestHead): void {
    const { target, idleQueue, nowMs, begin, holding } = this.#options;
    const body = Buffer.from(text);
    const own = headersForBody(headersForOwn(headers, text, holding.tools), body.length);
    const head = { method: 'POST', path, headers: own };
    const sent = this.#deps.sentHeaders.of(head, target.url.host, false);
    const upstream = target.request({ method: head.method, path, headers: sent });
    this.#own.add(upstream);
    upstream.once('close', () => this.#own.delete(upstream));
    sendOwn(upstream, body, { tap: begin(head, true), idleQueue, nowMs, target });
  }

  /** Resolves when the exchanges are over that were held until the session ended. */
  async released(): Promise<void> {
    await Promise.all([...this.#released].map(({ over }) => over));
  }

  /** Nobody waits any more for answers to what we have said ourselves. */
  close(): void {
    for (const upstream of this.#own) upstream.destroy();
  }
}
