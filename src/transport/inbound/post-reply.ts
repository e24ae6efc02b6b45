import type { JsonText } from '../../model/entry.ts';
import { idKey, peekAt } from '../../protocol/envelope.ts';
import { type ClientEventStream, MESSAGE_EVENT } from './event-stream.ts';
import type { InboundExchange } from './inbound-exchange.ts';
import type { InboundEvents, InboundPlace, MessageDelivery, ServerMessageKind } from './inbound-transport.ts';

/** Clients treat a connection as dead if no response headers arrive. */
const DEFAULT_STREAM_AFTER_MS = 10_000;

const UNKNOWN = { kind: 'invalid', key: undefined } as const;

export interface PostReplyOptions {
  readonly exchange: InboundExchange;
  /** The ids of the client's requests, as `idKey` returns them. */
  readonly requestIds: Iterable<string | number>;
  readonly isBatch: boolean;
  readonly events: InboundEvents;
  /** The HTTP status for an answer that is sent as JSON. */
  readonly statusFor?: ((answer: JsonText) => number) | undefined;
  /** Additional headers. For a stream, it is called before the answer is known. */
  readonly headersFor?: ((answer: JsonText | undefined) => readonly string[]) | undefined;
  readonly streamAfterMs?: number | undefined;
  /** Called once when the reply is over. `isAnswered` says whether every request was answered. */
  readonly onOver: (isAnswered: boolean) => void;
}

/**
 * Writes the HTTP response to a client's POST: JSON if there are only answers, an event stream if another message
 * arrives first.
 */
export class PostReply {
  readonly #options: PostReplyOptions;
  readonly #waiting: Set<string | number>;
  /** Answers of a batch that wait for the remaining ones. */
  #held: ServerMessageKind[] = [];
  #stream: ClientEventStream | undefined;
  readonly #timer: NodeJS.Timeout;
  #over = false;

  constructor(options: PostReplyOptions) {
    this.#options = options;
    this.#waiting = new Set(options.requestIds);
    this.#timer = setTimeout(() => this.#openStream(), options.streamAfterMs ?? DEFAULT_STREAM_AFTER_MS);
    options.exchange.onOver(() => this.#finish());
  }

  /** Bytes that the client has not received yet. */
  get waitingBytes(): number {
    return this.#stream?.waitingBytes ?? 0;
  }

  /** Sends a message. Returns false if the client should drain first. */
  deliver(text: JsonText, delivery: MessageDelivery): boolean {
    const { events, exchange } = this.#options;
    if (this.#over) {
      events.onUndelivered({ text, delivery }, exchange.conversation);
      return true;
    }
    const key = answeredIn(text, delivery);
    const isAnswer = key !== undefined && this.#waiting.delete(key);
    let takesMore = true;
    if (!isAnswer || this.#stream !== undefined) takesMore = this.#send({ text, delivery });
    else this.#held.push({ text, delivery });
    if (this.#waiting.size === 0) this.#complete();
    return takesMore;
  }

  /** The client cancelled this request. The reply ends when no request is left. */
  giveUp(key: string | number): void {
    if (this.#over || !this.#waiting.delete(key) || this.#waiting.size > 0) return;
    if (this.#held.length === 0) this.#openStream();
    this.#complete();
  }

  /** Ends it without waiting for answers. */
  close(): void {
    if (this.#over) return;
    if (this.#stream === undefined) this.#options.exchange.cut();
    else this.#stream.close();
    this.#finish();
  }

  #send(reported: ServerMessageKind): boolean {
    const takesMore = this.#openStream().send('message', reported.text);
    this.#options.events.onReported(reported, { ...this.#place(), sse: MESSAGE_EVENT });
    return takesMore;
  }

  #openStream(): ClientEventStream {
    clearTimeout(this.#timer);
    if (this.#stream !== undefined) return this.#stream;
    const { exchange, headersFor } = this.#options;
    this.#stream = exchange.openStream(headersFor?.(undefined));
    for (const reported of this.#held.splice(0)) this.#send(reported);
    return this.#stream;
  }

  #complete(): void {
    const { isBatch, events } = this.#options;
    const [only] = this.#held;
    if (this.#stream !== undefined) this.#stream.close();
    else if (isBatch) {
      this.#replyWith(`[${this.#held.map(({ text }) => text).join(',')}]`);
      events.onReportedAsBatch(this.#held, this.#place());
    } else if (only !== undefined) {
      this.#replyWith(only.text);
      events.onReported(only, this.#place());
    }
    this.#finish();
  }

  #replyWith(answer: JsonText): void {
    const { exchange, statusFor, headersFor } = this.#options;
    exchange.reply(statusFor?.(answer) ?? 200, answer, headersFor?.(answer));
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#options.onOver(this.#waiting.size === 0);
  }

  #place(): InboundPlace {
    const { conversation, number } = this.#options.exchange;
    return { conversation, exchange: number };
  }
}

/** The key of the request that a message answers. */
function answeredIn(text: JsonText, { answers }: MessageDelivery): string | number | undefined {
  if (answers !== undefined) return idKey(answers);
  const { kind, key } = peekAt(text) ?? UNKNOWN;
  return kind === 'response' ? key : undefined;
}
