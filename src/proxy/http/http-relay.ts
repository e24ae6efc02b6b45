import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { JsonText } from '../../model/entry.ts';
import type { BodyBudget } from '../../transport/http/body-budget.ts';
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
  /** Sent to the target, replacing the client's headers of the same names. */
  readonly addedHeaders: readonly HeaderPair[];
  /** Whether the target receives the client's `Host` header. */
  readonly keepsHost: boolean;
  readonly nowMs: () => number;
  readonly idleQueue: IdleQueue;
  /** Starts the recording of an exchange. `isOurs` marks an injected request. */
  readonly begin: (head: RequestHead, isOurs?: boolean) => ExchangeTap;
  readonly rewriter: ResponseRewriter;
  readonly holding: HttpHolding;
  /** Whether the session is ending, so that mcpreel itself closes open exchanges. */
  readonly isEnding: () => boolean;
  /** Limits the bodies that wait because their messages may be held. */
  readonly bodies: BodyBudget;
}

/** Forwards requests to the target and responses back, with raw headers and raw bytes, as soon as they arrive. */
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

  /** Event streams on which mcpreel can inject messages, the newest last. */
  get streams(): readonly OpenStream[] {
    return [...this.#streams];
  }

  carry(request: IncomingMessage, response: ServerResponse, path: string): void {
    new HttpExchange(this.#deps, request, response, requestHead(request, path), this.#options.begin).begin();
  }

  /** Sends an injected message to the target, with the headers of an earlier request of the client. */
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

  /** Resolves when all exchanges that were held until the session ended are over. */
  async released(): Promise<void> {
    await Promise.all([...this.#released].map(({ over }) => over));
  }

  /** Aborts injected requests that are not answered yet. */
  close(): void {
    for (const upstream of this.#own) upstream.destroy();
  }
}
