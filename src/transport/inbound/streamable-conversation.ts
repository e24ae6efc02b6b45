import { ObjectView } from '../../json/object-view.ts';
import type { JsonText } from '../../model/entry.ts';
import { idKey, readEnvelope } from '../../protocol/envelope.ts';
import { idAt } from '../../protocol/id-splice.ts';
import { type RpcBody, textsOf } from '../../protocol/rpc-body.ts';
import { type ClientEventStream, MESSAGE_EVENT } from './event-stream.ts';
import type { InboundExchange, InboundOptions } from './inbound-exchange.ts';
import { REFUSED } from './inbound-requests.ts';
import type { ClientDialogue, DialogueEvents, MessageDelivery, ServerMessageKind } from './inbound-transport.ts';
import { PostReply } from './post-reply.ts';
import { UndeliveredMessages } from './waiting-messages.ts';

/** After this idle time, the client is considered gone. */
const DEFAULT_IDLE_MS = 30 * 60_000;

export interface StreamableConversationOptions extends InboundOptions {
  readonly conversation: number;
  readonly sessionId: string;
  /** Called when the conversation is over, on either side. */
  readonly onOver: () => void;
}

/** A client's Streamable HTTP session, started with `initialize`: many exchanges, and at most one standalone stream. */
export class StreamableConversation implements ClientDialogue {
  readonly conversation: number;
  readonly isSingle = false;
  readonly takesApart = true;
  readonly #options: StreamableConversationOptions;
  readonly #behind: DialogueEvents;
  /** Open replies, the newest last. */
  readonly #replies = new Set<PostReply>();
  readonly #byRequest = new Map<string | number, PostReply>();
  readonly #byProgress = new Map<string | number, PostReply>();
  readonly #waiting: UndeliveredMessages;
  #standalone: { readonly stream: ClientEventStream; readonly exchange: InboundExchange } | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #over = false;
  #version: string | undefined;

  constructor(options: StreamableConversationOptions) {
    this.conversation = options.conversation;
    this.#options = options;
    this.#waiting = new UndeliveredMessages((untold) => options.events.onUndelivered(untold, options.conversation));
    this.#behind = options.events.onDialogue(this);
  }

  /** The revision that the server has agreed to. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Takes a client's message or batch, and responds to the exchange when the answers are there. */
  take(body: RpcBody, text: JsonText, exchange: InboundExchange): void {
    this.#busy();
    const texts = textsOf(body);
    const place = { conversation: this.conversation, exchange: exchange.number };
    const reply = this.#replyFor(texts, body, exchange);
    this.#behind.onMessage({ body, text, place, release: exchange.handOver() });
    for (const message of texts) this.#giveUpIfCancelled(message);
    if (reply === undefined) {
      exchange.reply(202, undefined);
      exchange.onOver(() => this.#idleSoon());
    } else this.#deliverWaiting();
  }

  /** Opens the standalone stream. A second one is refused. */
  takeStream(exchange: InboundExchange): void {
    if (this.#standalone !== undefined) {
      exchange.refuse(409, { code: REFUSED, message: 'Conflict: Only one SSE stream is allowed per session' });
      return;
    }
    this.#busy();
    const standalone = { stream: exchange.openStream(this.#sessionHeader()), exchange };
    this.#standalone = standalone;
    exchange.onDrain(() => this.#behind.onDrain());
    exchange.onOver(() => {
      this.#standalone = undefined;
      this.#idleSoon();
      this.#behind.onDrain();
    });
    this.#deliverWaiting();
  }

  deliver(text: JsonText, delivery: MessageDelivery): boolean {
    if (this.#over) {
      this.#options.events.onUndelivered({ text, delivery }, this.conversation);
      return true;
    }
    this.#version ??= ObjectView.of(text)?.object('result')?.string('protocolVersion');
    const reply = this.#ownReply(text, delivery);
    if (reply !== undefined) return reply.deliver(text, delivery);
    if (this.#standalone !== undefined) return this.#sendAlone(this.#standalone, { text, delivery });
    const { kind, id } = readEnvelope(text);
    const isLate = delivery.answers !== undefined || (kind === 'response' && id !== undefined);
    const newest = isLate ? undefined : [...this.#replies].at(-1);
    if (newest !== undefined) return newest.deliver(text, delivery);
    if (isLate) this.#options.events.onUndelivered({ text, delivery }, this.conversation);
    else this.#waiting.add(text, delivery);
    return true;
  }

  resume(): void {
    // Each message was read completely before it was forwarded.
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#idleTimer);
    this.#standalone?.stream.close();
    for (const reply of this.#replies) reply.close();
    this.#waiting.loseAll();
    this.#options.onOver();
  }

  /** The client has ended the session. */
  leave(): void {
    if (this.#over) return;
    this.end();
    this.#behind.onEnd();
  }

  #replyFor(texts: readonly JsonText[], { kind }: RpcBody, exchange: InboundExchange): PostReply | undefined {
    const requests = texts.flatMap((text) => {
      const { kind, id, method } = readEnvelope(text);
      return kind === 'request' && id !== undefined ? [{ key: idKey(id), text, method }] : [];
    });
    if (requests.length === 0) return undefined;
    const requested = requests.map(({ key }) => key);
    const tokens = requests.flatMap(({ text }) => keyAt(text, 'wantedProgress'));
    const { events, streamAfterMs } = this.#options;
    const isFirst = requests.some(({ method }) => method === 'initialize');
    let isRefused = false;
    const reply = new PostReply({
      exchange,
      requestIds: requested,
      events,
      streamAfterMs,
      isBatch: kind === 'batch',
      headersFor: (answer) => {
        isRefused = isFirst && answer !== undefined && ObjectView.of(answer)?.has('error') === true;
        return isFirst && !isRefused ? this.#sessionHeader() : [];
      },
      onOver: (isAnswered) => {
        this.#replies.delete(reply);
        for (const key of requested) forget(this.#byRequest, key, reply);
        for (const token of tokens) forget(this.#byProgress, token, reply);
        this.#behind.onDrain();
        // Without the session id, the client cannot continue.
        if (isRefused || (isFirst && !isAnswered)) this.leave();
        else this.#idleSoon();
      },
    });
    this.#replies.add(reply);
    for (const key of requested) this.#byRequest.set(key, reply);
    for (const token of tokens) this.#byProgress.set(token, reply);
    exchange.onDrain(() => this.#behind.onDrain());
    return reply;
  }

  /** Servers do not answer cancelled requests, so their reply would never end. */
  #giveUpIfCancelled(text: JsonText): void {
    if (readEnvelope(text).method !== 'notifications/cancelled') return;
    const [key] = keyAt(text, 'cancelled');
    if (key !== undefined) this.#byRequest.get(key)?.giveUp(key);
  }

  /** The open reply to the request that a message belongs to. */
  #ownReply(text: JsonText, { requestId, answers }: MessageDelivery): PostReply | undefined {
    if (answers !== undefined) return this.#byRequest.get(idKey(answers));
    const { kind, id, method } = readEnvelope(text);
    if (kind === 'response') return id === undefined ? undefined : this.#byRequest.get(idKey(id));
    const [token] = method === 'notifications/progress' ? keyAt(text, 'reportedProgress') : [];
    const byProgress = token === undefined ? undefined : this.#byProgress.get(token);
    return byProgress ?? (requestId === undefined ? undefined : this.#byRequest.get(idKey(requestId)));
  }

  #sendAlone(
    { stream, exchange }: { readonly stream: ClientEventStream; readonly exchange: InboundExchange },
    reported: ServerMessageKind,
  ): boolean {
    const takesMore = stream.send('message', reported.text);
    const place = { conversation: this.conversation, exchange: exchange.number, sse: MESSAGE_EVENT };
    this.#options.events.onReported(reported, place);
    return takesMore;
  }

  #deliverWaiting(): void {
    for (const { text, delivery } of this.#waiting.takeAll()) this.deliver(text, delivery);
  }

  #sessionHeader(): readonly string[] {
    return ['Mcp-Session-Id', this.#options.sessionId];
  }

  #busy(): void {
    clearTimeout(this.#idleTimer);
  }

  #idleSoon(): void {
    clearTimeout(this.#idleTimer);
    if (this.#over || this.#replies.size > 0 || this.#standalone !== undefined) return;
    this.#idleTimer = setTimeout(() => this.leave(), this.#options.idleMs ?? DEFAULT_IDLE_MS);
  }
}

/** A later request may use the same id. */
function forget(replies: Map<string | number, PostReply>, key: string | number, reply: PostReply): void {
  if (replies.get(key) === reply) replies.delete(key);
}

function keyAt(text: JsonText, place: 'wantedProgress' | 'reportedProgress' | 'cancelled'): (string | number)[] {
  const id = idAt(text, place);
  return id === undefined ? [] : [idKey(id)];
}
