import type { JsonText } from '../../model/entry.ts';
import { rpcFramesOf } from '../../protocol/rpc-body.ts';
import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import { endsWithin } from '../time-limit.ts';
import { answerIn } from './error-body.ts';
import { receiveEvent } from './heard-event.ts';
import { LinkAnswer } from './link-answer.ts';
import { type HttpLinkOptions, LinkExchanges } from './link-exchanges.ts';
import { type OutboundMessage, outboundOf } from './outbound.ts';
import { type LinkFailure, ownAnswer, refuse } from './own-answer.ts';
import type { LinkRequest } from './running-exchange.ts';
import { SendQueue } from './send-queue.ts';
import type { TargetLink, TargetLinkEvents } from './target-link.ts';

/** How long the next message waits until the server has accepted the previous one. */
const ORDER_MS = 2000;
/** How long closing waits for queued messages. */
const FLUSH_MS = 500;

/**
 * Connects to an HTTP+SSE server (revision 2024-11-05), which names its POST endpoint on the event stream and answers
 * there.
 */
export function openSseLink(options: HttpLinkOptions, events: TargetLinkEvents): TargetLink {
  return new SseLink(options, events);
}

class SseLink implements TargetLink {
  readonly #options: HttpLinkOptions;
  readonly #events: TargetLinkEvents;
  readonly #exchanges: LinkExchanges;
  readonly #queue: SendQueue;
  /** Resolves when the server has sent its endpoint. */
  readonly #endpoint: Promise<void>;
  #endpointIsKnown: () => void = () => undefined;
  #path: string | undefined;
  #hasEnded = false;
  #over: Promise<void> | undefined;

  constructor(options: HttpLinkOptions, events: TargetLinkEvents) {
    this.#options = options;
    this.#events = events;
    this.#exchanges = new LinkExchanges(options, events);
    this.#endpoint = new Promise((resolve) => {
      this.#endpointIsKnown = resolve;
    });
    this.#queue = new SendQueue({
      send: (outbound) => this.#dispatch(outbound),
      onDrain: () => events.onDrain?.(),
    });
    void this.#listen();
  }

  send(text: JsonText): boolean {
    if (this.#hasEnded || this.#over !== undefined) return true;
    if (!this.#queue.isFull) return this.#queue.push(outboundOf(text));
    refuse(text, this.#events);
    return false;
  }

  abandon(): void {
    // The server continues the request, unless the client itself cancels it.
  }

  pause(): void {
    this.#exchanges.pause();
  }

  resume(): void {
    this.#exchanges.resume();
  }

  close(): Promise<void> {
    this.#over ??= this.#end(undefined);
    return this.#over;
  }

  async #end(reason: string | undefined): Promise<void> {
    this.#exchanges.resume();
    if (reason === undefined && this.#path !== undefined) await endsWithin(this.#queue.idle, FLUSH_MS);
    this.#hasEnded = true;
    this.#queue.clear();
    this.#endpointIsKnown();
    await this.#exchanges.abortAll();
    this.#options.target.close();
    this.#events.onEnd(reason);
  }

  async #listen(): Promise<void> {
    let failure: LinkFailure | undefined;
    const request: LinkRequest = { method: 'GET', headers: [['Accept', 'text/event-stream']] };
    const stream = this.#exchanges.begin(request, async (answer) => {
      failure = await this.#receive(answer);
      return failure;
    });
    await stream.over;
    this.#over ??= this.#end(failure?.reason ?? `the event stream of ${this.#options.target.url.host} ended`);
  }

  async #receive(answer: LinkAnswer | LinkFailure): Promise<LinkFailure | undefined> {
    if (!(answer instanceof LinkAnswer)) return answer;
    if (!answer.isOk) return answer.statusFailure();
    if (!answer.isEventStream) return answer.failure('no event stream');
    let refused: LinkFailure | undefined;
    const broken = await answer.events((item) => {
      const { event, data } = item;
      if (event !== 'endpoint' || data === undefined) this.#takeItem(item, answer.exchange);
      else if (!this.#takeEndpoint(data)) {
        // Messages for this server must not be sent to another origin.
        refused = answer.failure(`an endpoint of another origin (${data})`);
        answer.discard();
      }
    });
    return refused ?? broken;
  }

  #takeEndpoint(uri: string): boolean {
    const { url } = this.#options.target;
    if (!URL.canParse(uri, url.href)) return false;
    const endpoint = new URL(uri, url);
    if (endpoint.origin !== url.origin) return false;
    this.#path = `${endpoint.pathname}${endpoint.search}`;
    this.#endpointIsKnown();
    return true;
  }

  #takeItem(item: SseItem, exchange: number): void {
    receiveEvent(item, this.#events, (data, sse) => {
      const body = rpcFramesOf(data);
      if (body === undefined) return false;
      this.#events.onMessage(body.kind === 'message' ? body.text : data.trim(), { sse, exchange });
      return true;
    });
  }

  async #dispatch(outbound: OutboundMessage): Promise<void> {
    await this.#endpoint;
    if (this.#hasEnded) return;
    const request: LinkRequest = {
      method: 'POST',
      path: this.#path,
      headers: [['Content-Type', 'application/json']],
      body: outbound.text,
    };
    const posting = this.#exchanges.begin(request, async (answer) => {
      const body = answer instanceof LinkAnswer ? await answer.text() : answer;
      if (answer instanceof LinkAnswer && answer.isOk) return undefined;
      return this.#answerFor(outbound, answer instanceof LinkAnswer ? answer.statusFailure() : answer, body);
    });
    await endsWithin(posting.answered, ORDER_MS);
  }

  /** Answers requests that the server did not accept: with the server's own error, if its response contains one. */
  #answerFor({ requests }: OutboundMessage, failure: LinkFailure, body: string | LinkFailure): LinkFailure | undefined {
    if (this.#hasEnded) return failure;
    const own = typeof body === 'string' ? answerIn(body, requests) : undefined;
    if (own !== undefined) {
      this.#events.onMessage(own, { requestId: requests[0]?.id });
      return undefined;
    }
    const sessionIsGone = failure.httpStatus === 404;
    for (const { id } of requests) {
      this.#events.onMessage(ownAnswer(id, { ...failure, sessionIsGone }), { requestId: id, isOwn: true });
    }
    return failure;
  }
}
