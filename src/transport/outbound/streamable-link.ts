import { ObjectView } from '../../json/object-view.ts';
import type { JsonText } from '../../model/entry.ts';
import { idKey } from '../../protocol/envelope.ts';
import { idAt, withIdAt } from '../../protocol/id-splice.ts';
import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import { endsWithin } from '../time-limit.ts';
import { followStream } from './follow-stream.ts';
import { type HttpLinkOptions, LinkExchanges } from './link-exchanges.ts';
import { type OutboundMessage, outboundOf } from './outbound.ts';
import { refuse } from './own-answer.ts';
import { PostedRequests } from './posted-requests.ts';
import { SendQueue } from './send-queue.ts';
import { StreamPosition } from './stream-position.ts';
import { StreamableSession } from './streamable-session.ts';
import type { TargetLink, TargetLinkEvents } from './target-link.ts';

/**
 * How long the next message waits until the server has accepted a notification. A server may accept it only together
 * with the next one.
 */
const ORDER_MS = 2000;
/** How long closing waits for queued messages, and for the response to DELETE. */
const FLUSH_MS = 500;
const DELETE_MS = 1000;
/** How long the server has to answer when mcpreel starts another session. */
const REOPEN_MS = 10_000;

/** Connects to a Streamable HTTP server, with one POST per message. */
export function openStreamableLink(options: HttpLinkOptions, events: TargetLinkEvents): TargetLink {
  return new StreamableLink(options, events);
}

class StreamableLink implements TargetLink {
  readonly #options: HttpLinkOptions;
  readonly #events: TargetLinkEvents;
  readonly #exchanges: LinkExchanges;
  readonly #session = new StreamableSession();
  readonly #postings: PostedRequests;
  readonly #queue: SendQueue;
  readonly #ending = new AbortController();
  /** Requests being written. A notification that refers to them must not overtake them. */
  readonly #leaving = new Set<Promise<unknown>>();
  /** Ends the standalone stream. */
  #listening: AbortController | undefined;
  /** How the client started the session, to start it again if the server no longer knows it. */
  #initialize: JsonText | undefined;
  #initialized: JsonText | undefined;
  #reopening: Promise<boolean> | undefined;
  #reopenings = 0;
  #over: Promise<void> | undefined;

  constructor(options: HttpLinkOptions, events: TargetLinkEvents) {
    this.#options = options;
    this.#events = events;
    this.#exchanges = new LinkExchanges(options, events);
    this.#postings = new PostedRequests({
      exchanges: this.#exchanges,
      session: this.#session,
      events,
      signal: this.#ending.signal,
      reopen: (lostId) => this.#reopen(lostId),
    });
    this.#queue = new SendQueue({
      send: (outbound) => this.#dispatch(outbound),
      onDrain: () => events.onDrain?.(),
    });
  }

  send(text: JsonText): boolean {
    if (this.#over !== undefined) return true;
    const outbound = outboundOf(text);
    if (this.#isCancelByClosing(outbound)) return true;
    if (!this.#queue.isFull) return this.#queue.push(outbound);
    refuse(text, this.#events);
    return false;
  }

  abandon(requestId: JsonText): void {
    this.#giveUp(idKey(requestId));
  }

  pause(): void {
    this.#exchanges.pause();
  }

  resume(): void {
    this.#exchanges.resume();
  }

  close(): Promise<void> {
    this.#over ??= this.#end();
    return this.#over;
  }

  async #end(): Promise<void> {
    this.#exchanges.resume();
    await endsWithin(this.#queue.idle, FLUSH_MS);
    this.#queue.clear();
    this.#ending.abort();
    await this.#exchanges.abortAll();
    if (this.#session.id !== undefined) await this.#endSession();
    this.#options.target.close();
    this.#events.onEnd(undefined);
  }

  /** A server may refuse to end a session, and its response reports it. */
  async #endSession(): Promise<void> {
    const ending = this.#exchanges.begin({ method: 'DELETE', headers: this.#session.headers() }, async (answer) => {
      if (!('status' in answer)) return answer;
      await answer.text();
      return undefined;
    });
    if (await endsWithin(ending.over, DELETE_MS)) return;
    ending.abort();
    await ending.over;
  }

  /** In revision 2026-07-28, a client cancels by closing the response stream, without a message. */
  #isCancelByClosing({ text, methods, isModern }: OutboundMessage): boolean {
    if (methods[0] !== 'notifications/cancelled') return false;
    const requestId = idAt(text, 'cancelled');
    if (requestId !== undefined && this.#giveUp(idKey(requestId))) return true;
    return isModern || !this.#session.isLegacy;
  }

  /** Cancels the request with this key, if it is of revision 2026-07-28. */
  #giveUp(key: string | number): boolean {
    const isIt = (outbound: OutboundMessage): boolean =>
      outbound.isModern && outbound.requests.some((request) => request.key === key);
    return this.#queue.remove(isIt) !== undefined || this.#postings.abandon(key, isIt);
  }

  /** Sends a message. Resolves when the next may be sent. */
  async #dispatch(outbound: OutboundMessage): Promise<void> {
    const isRequest = outbound.requests.length > 0;
    if (!isRequest) await endsWithin(Promise.all(this.#leaving), ORDER_MS);
    // Without this check, a request would be posted a moment later, and closing could abort it unsent.
    if (this.#reopening !== undefined) await this.#reopening;
    if (this.#ending.signal.aborted) return;
    const opens = outbound.methods.includes('initialize');
    if (opens) {
      this.#opens();
      this.#initialize = outbound.text;
      this.#initialized = undefined;
    }
    const { written, accepted, settled } = this.#postings.post(outbound);
    if (opens) await settled;
    else if (isRequest) this.#noteLeaving(written);
    else {
      this.#noteCancelled(outbound);
      if (outbound.methods.includes('notifications/initialized')) {
        this.#initialized = outbound.text;
        void accepted.then((is) => is && this.#listen());
      }
      await endsWithin(accepted, ORDER_MS);
    }
  }

  /** A server does not answer a cancelled request, so its stream must not be resumed. */
  #noteCancelled({ text, methods }: OutboundMessage): void {
    const requestId = methods[0] === 'notifications/cancelled' ? idAt(text, 'cancelled') : undefined;
    if (requestId !== undefined) this.#postings.cancelled(idKey(requestId));
  }

  /** Starts another session, once for all requests that miss the lost one. */
  #reopen(lostId: string): Promise<boolean> {
    if (this.#session.id === lostId) {
      this.#reopening ??= this.#openAgain().finally(() => {
        this.#reopening = undefined;
      });
    }
    return this.#reopening ?? Promise.resolve(this.#session.id !== undefined);
  }

  async #openAgain(): Promise<boolean> {
    if (this.#initialize === undefined) return false;
    const opening = outboundOf(withIdAt(this.#initialize, 'id', `"mcpreel-again-${++this.#reopenings}"`));
    if (opening.requests.length !== 1) return false;
    this.#opens();
    let isOpen = false;
    const answered = this.#postings.ask(opening).then((answer) => {
      isOpen = ObjectView.of(answer)?.has('result') === true;
    });
    await endsWithin(answered, REOPEN_MS);
    if (!isOpen || this.#initialized === undefined || this.#ending.signal.aborted) return isOpen;
    const { accepted } = this.#postings.post(outboundOf(this.#initialized));
    await endsWithin(accepted, ORDER_MS);
    this.#listen();
    return true;
  }

  #opens(): void {
    this.#listening?.abort();
    this.#listening = undefined;
    this.#session.opens();
  }

  #noteLeaving(written: Promise<unknown>): void {
    this.#leaving.add(written);
    void written.then(() => this.#leaving.delete(written));
  }

  /** Opens the standalone stream for messages outside of requests, if the server offers it. */
  #listen(): void {
    if (this.#listening !== undefined || !this.#session.isLegacy || this.#ending.signal.aborted) return;
    const listening = new AbortController();
    this.#listening = listening;
    void followStream({
      exchanges: this.#exchanges,
      position: new StreamPosition(),
      headers: () => this.#session.headers(),
      onItem: (item: SseItem, exchange: number) => this.#postings.takeItem(item, { exchange }),
      isDone: () => false,
      signal: AbortSignal.any([listening.signal, this.#ending.signal]),
      maxFailures: Number.POSITIVE_INFINITY,
    });
  }
}
