import type { JsonText } from '../../model/entry.ts';
import { idKey, readEnvelope } from '../../protocol/envelope.ts';
import { rpcFramesOf, textsOf } from '../../protocol/rpc-body.ts';
import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import type { HeaderPair } from '../http/http-target.ts';
import { answerIn } from './error-body.ts';
import { followStream, waitFor } from './follow-stream.ts';
import { receiveEvent } from './heard-event.ts';
import { LinkAnswer } from './link-answer.ts';
import type { LinkExchanges } from './link-exchanges.ts';
import type { OutboundMessage } from './outbound.ts';
import { type LinkFailure, ownAnswer } from './own-answer.ts';
import { PostedRequest } from './posted-request.ts';
import type { StreamableSession } from './streamable-session.ts';
import type { MessageOrigin, TargetLinkEvents } from './target-link.ts';

export interface PostedRequestsOptions {
  readonly exchanges: LinkExchanges;
  readonly session: StreamableSession;
  readonly events: TargetLinkEvents;
  readonly signal: AbortSignal;
  /** Starts another session in place of one that the server no longer knows. Resolves with whether there is one. */
  readonly reopen: (lostId: string) => Promise<boolean>;
}

/** The stages of a POST that a caller can wait for. */
export interface SentPosting {
  /** The whole request was written. */
  readonly written: Promise<unknown>;
  /** Whether the server accepted it. */
  readonly accepted: Promise<boolean>;
  /** All its requests are answered. */
  readonly settled: Promise<void>;
}

/** The session in which a request was sent, and whether that was its second time. */
interface SentPlace {
  readonly sessionId: string | undefined;
  readonly isAgain: boolean;
}

/** How many consecutive attempts to resume a stream may fail before its requests are given up. */
const MAX_RESUME_FAILURES = 5;

const POST_HEADERS: readonly HeaderPair[] = [
  ['Accept', 'application/json, text/event-stream'],
  ['Content-Type', 'application/json'],
];

/** Sends POSTs to a Streamable HTTP server, and matches answers from any stream to their requests. */
export class PostedRequests {
  readonly #options: PostedRequestsOptions;
  readonly #byKey = new Map<string | number, PostedRequest>();
  /** mcpreel's own requests, whose answers are not for the client. */
  readonly #own = new Map<string | number, (answer: JsonText) => void>();

  constructor(options: PostedRequestsOptions) {
    this.#options = options;
  }

  /** @param isAgain Whether it was sent before, in a session that the server no longer knows. */
  post(outbound: OutboundMessage, isAgain = false): SentPosting {
    const { exchanges, session } = this.#options;
    const posting = new PostedRequest(outbound);
    for (const { key } of outbound.requests) this.#byKey.set(key, posting);
    let accept: (isAccepted: boolean) => void = () => undefined;
    const accepted = new Promise<boolean>((resolve) => {
      accept = resolve;
    });
    const sessionId = outbound.isModern ? undefined : session.id;
    const headers = [...POST_HEADERS, ...session.headersFor(outbound)];
    const running = exchanges.begin({ method: 'POST', headers, body: outbound.text }, async (answer) => {
      accept(answer instanceof LinkAnswer && answer.isOk);
      const failure = await this.#takeAnswer(posting, answer, isAgain ? undefined : sessionId);
      if (failure !== undefined && !posting.isAbandoned) void this.#settle(posting, failure, { sessionId, isAgain });
      return failure;
    });
    posting.runsAs(running);
    return { written: running.written, accepted, settled: posting.settled };
  }

  /** Sends mcpreel's own request, and resolves with its answer. */
  ask(outbound: OutboundMessage): Promise<JsonText> {
    return new Promise((resolve) => {
      for (const { key } of outbound.requests) this.#own.set(key, resolve);
      this.post(outbound);
    });
  }

  /** The client has cancelled this request, and the server need not answer it. */
  cancelled(key: string | number): void {
    this.#byKey.get(key)?.answered(key);
    this.#byKey.delete(key);
  }

  /** Closes the stream of a cancelled request. Returns whether there was a matching one. */
  abandon(key: string | number, mayBe: (outbound: OutboundMessage) => boolean): boolean {
    const posting = this.#byKey.get(key);
    if (posting === undefined || !mayBe(posting.outbound)) return false;
    this.#byKey.delete(key);
    posting.abandon();
    return true;
  }

  /** Forwards the message in an event. */
  takeItem(item: SseItem, origin: MessageOrigin): void {
    receiveEvent(item, this.#options.events, (data, sse) => this.#passOn(data, { ...origin, sse }));
  }

  async #takeAnswer(
    posting: PostedRequest,
    answer: LinkAnswer | LinkFailure,
    sessionId: string | undefined,
  ): Promise<LinkFailure | undefined> {
    if (!(answer instanceof LinkAnswer)) return answer;
    const { outbound } = posting;
    if (answer.isOk && outbound.methods.includes('initialize')) {
      this.#options.session.isCalled(answer.header('mcp-session-id'));
    }
    if (answer.isOk && answer.isEventStream) return await this.#takeStream(posting, answer);
    const body = await answer.text();
    if (typeof body !== 'string') return body;
    // The status says that the session is gone, whatever error the server puts into the body.
    if (answer.status === 404 && sessionId !== undefined) return answer.statusFailure();
    return this.#takeBody(posting, answer, body);
  }

  #takeBody(posting: PostedRequest, answer: LinkAnswer, body: string): LinkFailure | undefined {
    const origin = { requestId: posting.outbound.requests[0]?.id, exchange: answer.exchange };
    const own = answerIn(body, posting.unanswered);
    if (own !== undefined) this.#passOn(own, origin);
    if (!answer.isOk) return own === undefined ? answer.statusFailure() : undefined;
    if (own !== undefined || this.#passOn(body, origin)) return this.#leftOver(posting, answer);
    // The answer may arrive on another stream.
    if (body.trim() === '' && answer.status === 202) return undefined;
    if (posting.isSettled) return undefined;
    return answer.failure(body.trim() === '' ? 'an empty response' : 'a response that is not JSON-RPC');
  }

  async #takeStream(posting: PostedRequest, answer: LinkAnswer): Promise<LinkFailure | undefined> {
    let tooLong: LinkFailure | undefined;
    const broken = await answer.events((item) => {
      if (item.tooLong !== undefined) tooLong = answer.failure(`a message of ${item.tooLong} characters`);
      this.#takeOwn(posting, item, answer.exchange);
    });
    if (posting.isSettled) return tooLong;
    if (tooLong === undefined && posting.position.lastEventId !== undefined && !posting.outbound.isModern) {
      void this.#resume(posting);
      return undefined;
    }
    return tooLong ?? broken ?? this.#leftOver(posting, answer);
  }

  #takeOwn(posting: PostedRequest, item: SseItem, exchange: number): void {
    posting.position.note(item);
    this.takeItem(item, { requestId: posting.outbound.requests[0]?.id, exchange });
  }

  /** The failure for requests that an ended response left unanswered. */
  #leftOver(posting: PostedRequest, answer: LinkAnswer): LinkFailure | undefined {
    return posting.isSettled ? undefined : answer.failure('a response that ended early');
  }

  /** Since revision 2025-11-25, a server may end a stream at any time, and the client resumes it. */
  async #resume(posting: PostedRequest): Promise<void> {
    const { exchanges, session, signal } = this.#options;
    const sessionId = session.id;
    await waitFor(posting.position.delayMs(0), signal);
    if (signal.aborted || posting.isSettled) return;
    const failure = await followStream({
      exchanges,
      position: posting.position,
      headers: () => session.headers(),
      onItem: (item, exchange) => this.#takeOwn(posting, item, exchange),
      isDone: () => posting.isSettled,
      signal,
      maxFailures: MAX_RESUME_FAILURES,
    });
    if (failure !== undefined) await this.#settle(posting, failure, { sessionId, isAgain: false });
  }

  /** Sends the request again if its session is gone and that is safe. Otherwise answers in place of the server. */
  async #settle(posting: PostedRequest, failure: LinkFailure, sent: SentPlace): Promise<void> {
    const { signal, session, reopen } = this.#options;
    const sessionIsGone = sent.sessionId !== undefined && failure.httpStatus === 404;
    if (!sessionIsGone || posting.isSettled) {
      this.#answer(posting, failure);
      return;
    }
    const isOpen = !signal.aborted && !sent.isAgain && (await reopen(sent.sessionId));
    const objection = session.repeatable.objectionTo(posting.outbound);
    if (!isOpen) this.#answer(posting, { ...failure, sessionIsGone });
    else if (objection === undefined) {
      if (!posting.isSettled) this.post(posting.outbound, true);
    } else {
      const reason = `${failure.reason}: the server has ended the session. Another one was started, but the request was not sent again, because ${objection}`;
      this.#answer(posting, { ...failure, reason, sessionIsGone });
    }
  }

  #answer(posting: PostedRequest, failure: LinkFailure): void {
    if (this.#options.signal.aborted) return;
    for (const { id } of posting.unanswered) this.#passOn(ownAnswer(id, failure), { requestId: id, isOwn: true });
  }

  /** Forwards a message or a batch. Returns false if the text is neither. */
  #passOn(text: string, origin: MessageOrigin): boolean {
    const body = rpcFramesOf(text);
    if (body === undefined) return false;
    for (const message of textsOf(body)) this.#noteAnswer(message);
    if (body.kind === 'message' && this.#takesOwn(body.text)) return true;
    this.#options.events.onMessage(body.kind === 'message' ? body.text : text.trim(), origin);
    return true;
  }

  /** Whether a message answers mcpreel's own request. */
  #takesOwn(message: JsonText): boolean {
    if (this.#own.size === 0) return false;
    const { kind, id } = readEnvelope(message);
    const resolve = kind === 'response' && id !== undefined ? this.#own.get(idKey(id)) : undefined;
    if (id !== undefined && resolve !== undefined) this.#own.delete(idKey(id));
    resolve?.(message);
    return resolve !== undefined;
  }

  #noteAnswer(message: JsonText): void {
    const { kind, id } = readEnvelope(message);
    if (kind !== 'response' || id === undefined) return;
    const key = idKey(id);
    const request = this.#byKey.get(key)?.answered(key);
    this.#byKey.delete(key);
    if (request !== undefined) this.#options.session.learn(request.method, message);
  }
}
