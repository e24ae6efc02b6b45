import type { JsonText } from '../../model/entry.ts';
import { glanceAt } from '../../protocol/envelope.ts';
import type { Delivery, FrontEvents } from './client-front.ts';
import { type EventStream, MESSAGE_EVENT } from './event-stream.ts';
import type { FrontExchange } from './front-exchange.ts';

/** Clients take a connection for dead on which not even a head comes. */
const DEFAULT_STREAM_AFTER_MS = 10_000;

const UNKNOWN = { kind: 'invalid', key: undefined } as const;

export interface PostReplyOptions {
  readonly exchange: FrontExchange;
  /** The ids that were asked with, as `idKey` makes them. */
  readonly asked: Iterable<string | number>;
  readonly isBatch: boolean;
  readonly events: FrontEvents;
  /** The status for an answer that is all that there is to say. */
  readonly statusFor?: ((answer: JsonText) => number) | undefined;
  /** Headers beside those that say what is answered; of a stream before the answer is known. */
  readonly headersFor?: ((answer: JsonText | undefined) => readonly string[]) | undefined;
  readonly streamAfterMs?: number | undefined;
  /** Told once when nothing more can be said, and whether all was said that had to be. */
  readonly onOver: (isAnswered: boolean) => void;
}

/**
 * The reply to a request that asks for answers: a JSON text if they are all that there is to say, an event stream as soon
 * as something else comes first.
 */
export class PostReply {
  readonly #options: PostReplyOptions;
  readonly #waiting: Set<string | number>;
  /** Answers of a batch that wait for the others. */
  #held: { text: JsonText; isOwn: boolean | undefined }[] = [];
  #stream: EventStream | undefined;
  readonly #timer: NodeJS.Timeout;
  #over = false;

  constructor(options: PostReplyOptions) {
    this.#options = options;
    this.#waiting = new Set(options.asked);
    this.#timer = setTimeout(() => this.#openStream(), options.streamAfterMs ?? DEFAULT_STREAM_AFTER_MS);
    options.exchange.onOver(() => this.#finish());
  }

  /** How many bytes wait for the client to take them. */
  get waitingBytes(): number {
    return this.#stream?.waitingBytes ?? 0;
  }

  /** Passes a message on, and says whether more can be taken at once. */
  deliver(text: JsonText, { isOwn }: Delivery): boolean {
    if (this.#over) return true;
    const { kind, key } = glanceAt(text) ?? UNKNOWN;
    const isAnswer = kind === 'response' && key !== undefined && this.#waiting.delete(key);
    let takesMore = true;
    if (!isAnswer || this.#stream !== undefined) takesMore = this.#send(text, isOwn);
    else this.#held.push({ text, isOwn });
    if (this.#waiting.size === 0) this.#complete();
    return takesMore;
  }

  /** The client does not want this answer any more. Once there is none left to wait for, it is over. */
  giveUp(key: string | number): void {
    if (this.#over || !this.#waiting.delete(key) || this.#waiting.size > 0) return;
    if (this.#held.length === 0) this.#openStream();
    this.#complete();
  }

  /** Ends it as it is. */
  close(): void {
    if (this.#over) return;
    if (this.#stream === undefined) this.#options.exchange.cut();
    else this.#stream.close();
    this.#finish();
  }

  #send(text: JsonText, isOwn: boolean | undefined): boolean {
    const takesMore = this.#openStream().send('message', text);
    this.#passed([text], isOwn, MESSAGE_EVENT);
    return takesMore;
  }

  #openStream(): EventStream {
    clearTimeout(this.#timer);
    if (this.#stream !== undefined) return this.#stream;
    const { exchange, headersFor } = this.#options;
    this.#stream = exchange.openStream(headersFor?.(undefined));
    for (const { text, isOwn } of this.#held.splice(0)) this.#send(text, isOwn);
    return this.#stream;
  }

  #complete(): void {
    const { isBatch } = this.#options;
    const texts = this.#held.map(({ text }) => text);
    if (this.#stream !== undefined) this.#stream.close();
    else {
      const isOwn = this.#held.some((held) => held.isOwn);
      this.#replyWith(isBatch ? `[${texts.join(',')}]` : (texts[0] ?? ''));
      this.#passed(texts, isOwn, undefined);
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

  #passed(texts: readonly JsonText[], isOwn: boolean | undefined, sse: JsonText | undefined): void {
    const { events, exchange, isBatch } = this.#options;
    const place = { conversation: exchange.conversation, exchange: exchange.number, sse, isOwn };
    const [text = ''] = texts;
    if (isBatch && sse === undefined) events.onPassed({ kind: 'batch', texts }, 'server_to_client', place);
    else events.onPassed({ kind: 'message', text, glance: glanceAt(text) ?? UNKNOWN }, 'server_to_client', place);
  }
}
