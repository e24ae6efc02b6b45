import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonText } from '../../model/entry.ts';
import { CLIENT_LEFT, CUT_OFF } from '../../model/exchange-ends.ts';
import { answerText } from '../../protocol/answer-text.ts';
import type { BodyBudget } from '../http/body-budget.ts';
import { withoutTokenHeader } from '../http/listener-guard.ts';
import type { ConversationLimit } from './conversation-limit.ts';
import { ClientEventStream, STREAM_HEADERS } from './event-stream.ts';
import type { ClientExchange, InboundEvents } from './inbound-transport.ts';
import { type BodyRead, readBody } from './request-body.ts';

export interface InboundOptions {
  readonly events: InboundEvents;
  readonly nowMs: () => number;
  readonly newId: () => string;
  /** The longest request body that is accepted. */
  readonly maxMessageBytes: number;
  readonly keepAliveMs?: number | undefined;
  /** How long an idle conversation is kept before it is closed. */
  readonly idleMs?: number | undefined;
  /** How long a request may stay unanswered before mcpreel opens an event stream for it. */
  readonly streamAfterMs?: number | undefined;
  /** The token that every request needs. Endpoint addresses sent to clients must contain it, too. */
  readonly token?: string | undefined;
  /** Limits for all clients together; none if absent. */
  readonly bodies?: BodyBudget | undefined;
  readonly conversations?: ConversationLimit | undefined;
}

/** The error with which a request is refused. */
export interface InboundRefusal {
  readonly code: number;
  readonly message: string;
  /** The id of the refused request, if known. */
  readonly requestId?: JsonText | undefined;
  readonly headers?: readonly string[] | undefined;
}

/** One HTTP exchange with a client: reads the request, writes the response, and reports the exchange at its end. */
export class InboundExchange {
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly request: IncomingMessage;
  /** The conversation that it belongs to, once known. */
  conversation = 0;
  readonly #response: ServerResponse;
  readonly #options: InboundOptions;
  readonly #beganMs: number;
  #firstByteMs: number | undefined;
  #status: number | undefined;
  #headers: readonly string[] = [];
  #bytesIn = 0;
  #bytesOut = 0;
  #stream: ClientEventStream | undefined;
  #wasCut = false;
  #releaseBody: () => void = () => undefined;

  constructor(request: IncomingMessage, response: ServerResponse, path: string, options: InboundOptions) {
    this.number = options.events.nextExchange();
    this.method = request.method ?? '';
    this.path = path;
    this.request = request;
    this.#response = response;
    this.#options = options;
    this.#beganMs = options.nowMs();
    response.once('close', () => {
      this.#releaseBody();
      options.events.onExchange(this.#outcome());
    });
  }

  /** Whether nothing more can be sent. */
  get isOver(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  /** Reads the request body. */
  async body(): Promise<BodyRead> {
    const body = await readBody(this.request, this.#options.maxMessageBytes, this.#options.bodies);
    this.#bytesIn = body.size;
    this.#releaseBody = body.release;
    if (body.kind !== 'text' || this.#response.closed) body.release();
    return body;
  }

  /** The body is a message that may wait longer than the exchange. Whoever forwards it calls the returned function. */
  handOver(): () => void {
    const release = this.#releaseBody;
    this.#releaseBody = () => undefined;
    return release;
  }

  /** Calls back when the exchange has ended. */
  onOver(over: () => void): void {
    this.#response.once('close', over);
  }

  onDrain(drained: () => void): void {
    this.#response.on('drain', drained);
  }

  /** Responds with a JSON text, or with an empty body. */
  reply(status: number, text: JsonText | undefined, headers: readonly string[] = []): boolean {
    const body = text ?? '';
    this.#bytesOut = Buffer.byteLength(body);
    const type = text === undefined ? [] : ['Content-Type', 'application/json'];
    this.#begin(status, [...type, 'Content-Length', String(this.#bytesOut), ...headers]);
    this.#response.end(body);
    return true;
  }

  /** Responds with an error of mcpreel's own. */
  refuse(status: number, { code, message, requestId = 'null', headers = [] }: InboundRefusal): void {
    // Unread body bytes would be parsed as the next request.
    const closing = this.request.complete ? [] : ['Connection', 'close'];
    const text = answerText(requestId, 'error', JSON.stringify({ code, message }));
    this.reply(status, text, [...headers, ...closing]);
  }

  openStream(headers: readonly string[] = []): ClientEventStream {
    this.#begin(200, [...STREAM_HEADERS, ...headers]);
    this.#stream = new ClientEventStream(this.#response, this.#options.keepAliveMs);
    return this.#stream;
  }

  /** Ends it without a response, like a broken connection. */
  cut(): void {
    this.#wasCut = true;
    this.#response.destroy();
  }

  #begin(status: number, headers: readonly string[]): void {
    this.#status = status;
    this.#headers = headers;
    this.#firstByteMs = this.#options.nowMs() - this.#beganMs;
    this.#response.writeHead(status, headers as string[]);
  }

  #outcome(): ClientExchange {
    const { number, method, path, conversation, request } = this;
    return {
      exchange: number,
      conversation,
      method,
      path,
      status: this.#status,
      requestHeaders: withoutTokenHeader(request.rawHeaders),
      responseHeaders: this.#headers,
      ms: { firstByte: this.#firstByteMs, end: this.#options.nowMs() - this.#beganMs },
      bytes: { in: this.#bytesIn, out: this.#stream?.bytes ?? this.#bytesOut },
      error: this.#response.writableFinished ? undefined : this.#wasCut ? CUT_OFF : CLIENT_LEFT,
    };
  }
}
