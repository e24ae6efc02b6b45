import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonText } from '../../model/entry.ts';
import { objectsOf } from '../../protocol/rpc-body.ts';
import { type ClientEventStream, MESSAGE_EVENT } from './event-stream.ts';
import { InboundExchange, type InboundOptions } from './inbound-exchange.ts';
import {
  acceptsType,
  isJsonType,
  pathOf,
  queryOf,
  REFUSED,
  refuseBody,
  refuseForNow,
  refuseMethod,
  refuseSession,
  refuseType,
} from './inbound-requests.ts';
import type { ClientDialogue, DialogueEvents, InboundTransport, MessageDelivery } from './inbound-transport.ts';

/** Where a client of revision 2024-11-05 opens its stream, and the path to which it posts messages. */
export const SSE_PATH = '/sse';
const MESSAGES_PATH = '/messages';

/** Serves clients of HTTP+SSE: each event stream is a dialogue, and the client posts its messages separately. */
export class SseInbound implements InboundTransport {
  readonly #options: InboundOptions;
  readonly #dialogues = new Map<string, SseDialogue>();
  #opened = 0;
  #closed = false;

  constructor(options: InboundOptions) {
    this.#options = options;
  }

  take(request: IncomingMessage, response: ServerResponse, path: string): void {
    const exchange = new InboundExchange(request, response, path, this.#options);
    const place = pathOf(path);
    if (place === SSE_PATH && !this.#closed) this.#takeStream(exchange);
    else if (place === MESSAGES_PATH && !this.#closed) void this.#takeMessage(exchange);
    else exchange.refuse(404, { code: REFUSED, message: `Not Found: the stream is at ${SSE_PATH}` });
  }

  close(): void {
    this.#closed = true;
    for (const dialogue of this.#dialogues.values()) dialogue.leave();
  }

  #takeStream(exchange: InboundExchange): void {
    if (exchange.method !== 'GET') {
      refuseMethod(exchange, 'GET');
      return;
    }
    if (!acceptsType(exchange.request, 'text/event-stream')) {
      exchange.refuse(406, { code: REFUSED, message: 'Not Acceptable: Client must accept text/event-stream' });
      return;
    }
    const { conversations } = this.#options;
    const leave = conversations?.enter();
    if (conversations !== undefined && leave === undefined) {
      refuseForNow(exchange);
      return;
    }
    const id = this.#options.newId();
    exchange.conversation = ++this.#opened;
    const dialogue = new SseDialogue(exchange, this.#options, this.#addressFor(id, exchange));
    this.#dialogues.set(id, dialogue);
    exchange.onOver(() => {
      this.#dialogues.delete(id);
      dialogue.leave();
      leave?.();
    });
  }

  async #takeMessage(exchange: InboundExchange): Promise<void> {
    const dialogue = this.#dialogues.get(queryOf(exchange.path).get('sessionId') ?? '');
    if (exchange.method !== 'POST') refuseMethod(exchange, 'POST');
    else if (dialogue === undefined) refuseSession(exchange);
    else if (isJsonType(exchange.request)) await dialogue.take(exchange);
    else refuseType(exchange);
  }

  /** A client with mcpreel's token in its URL does not add the token to the endpoint by itself. */
  #addressFor(id: string, { request, path }: InboundExchange): string {
    const { token } = this.#options;
    const isInAddress = token !== undefined && request.url !== path;
    return `${MESSAGES_PATH}?sessionId=${id}${isInAddress ? `&token=${encodeURIComponent(token)}` : ''}`;
  }
}

class SseDialogue implements ClientDialogue {
  readonly isSingle = false;
  readonly takesApart = false;
  readonly #exchange: InboundExchange;
  readonly #options: InboundOptions;
  readonly #stream: ClientEventStream;
  readonly #behind: DialogueEvents;
  #left = false;

  constructor(exchange: InboundExchange, options: InboundOptions, address: string) {
    this.#exchange = exchange;
    this.#options = options;
    this.#stream = exchange.openStream();
    this.#stream.send('endpoint', address);
    options.events.onEndpoint(address, { conversation: exchange.conversation, exchange: exchange.number });
    this.#behind = options.events.onDialogue(this);
    exchange.onDrain(() => this.#behind.onDrain());
  }

  get conversation(): number {
    return this.#exchange.conversation;
  }

  /** Takes a message that the client posts. */
  async take(exchange: InboundExchange): Promise<void> {
    exchange.conversation = this.conversation;
    const read = await exchange.body();
    const body = read.kind === 'text' ? objectsOf(read.text) : undefined;
    if (read.kind !== 'text' || body === undefined) refuseBody(exchange, read);
    else if (this.#left) refuseSession(exchange);
    else {
      const place = { conversation: this.conversation, exchange: exchange.number };
      const text = body.kind === 'message' ? body.text : read.text;
      this.#behind.onMessage({ body, text, place, release: exchange.handOver() });
      exchange.reply(202, undefined);
    }
  }

  deliver(text: JsonText, delivery: MessageDelivery): boolean {
    const { events } = this.#options;
    const { conversation } = this;
    if (this.#exchange.isOver) {
      events.onUndelivered({ text, delivery }, conversation);
      return true;
    }
    const takesMore = this.#stream.send('message', text);
    events.onReported({ text, delivery }, { conversation, exchange: this.#exchange.number, sse: MESSAGE_EVENT });
    return takesMore;
  }

  resume(): void {
    // Each message has its own exchange, and was read completely before it was forwarded.
  }

  end(): void {
    this.#left = true;
    this.#stream.close();
  }

  leave(): void {
    if (this.#left) return;
    this.end();
    this.#behind.onEnd();
  }
}
