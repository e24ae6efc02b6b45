import { ObjectView } from '../../json/object-view.ts';
import type { JsonText } from '../../model/entry.ts';
import { idKey, readEnvelope } from '../../protocol/envelope.ts';
import type { ToolHeaders } from '../../protocol/modern-headers.ts';
import type { RpcBody } from '../../protocol/rpc-body.ts';
import type { InboundExchange, InboundOptions } from './inbound-exchange.ts';
import type { ClientDialogue, DialogueEvents, MessageDelivery } from './inbound-transport.ts';
import { PostReply } from './post-reply.ts';

/** Limit of unread bytes per client. The target is shared, so one slow client must not block the others. */
const MAX_WAITING_BYTES = 64 << 20;

/** The HTTP status for an error that is the whole response (revision 2026-07-28). */
const STATUS_OF_ERROR: ReadonlyMap<number, number> = new Map([
  [-32601, 404],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

/** A POST of a client without a session (revision 2026-07-28): a dialogue that ends with its exchange. */
export class ModernPost implements ClientDialogue {
  readonly conversation = 0;
  readonly isSingle = true;
  readonly takesApart = true;
  readonly #behind: DialogueEvents;
  readonly #learn: (answer: JsonText) => void;
  #reply: PostReply | undefined;
  #ended = false;

  /** `tools` learns the tools that the server lists, because their arguments may be required in headers. */
  constructor(
    body: RpcBody & { readonly kind: 'message' },
    exchange: InboundExchange,
    options: InboundOptions,
    tools: ToolHeaders,
  ) {
    const { events, streamAfterMs } = options;
    const { kind, id, method } = readEnvelope(body.text);
    this.#learn = (answer) => {
      if (method === 'tools/list') tools.learn(answer);
    };
    this.#behind = events.onDialogue(this);
    if (kind === 'request' && id !== undefined) {
      this.#reply = new PostReply({
        exchange,
        requestIds: [idKey(id)],
        isBatch: false,
        events,
        statusFor,
        streamAfterMs,
        onOver: (isAnswered) => this.#leave(isAnswered ? undefined : id),
      });
    }
    const place = { conversation: 0, exchange: exchange.number };
    this.#behind.onMessage({ body, text: body.text, place, release: exchange.handOver() });
    if (this.#reply !== undefined) return;
    exchange.reply(202, undefined);
    // The exchange is over, but the message may still be held.
    if (this.#behind.isHeld()) void this.#behind.released().then(() => this.#leave(undefined));
    else this.#leave(undefined);
  }

  deliver(text: JsonText, delivery: MessageDelivery): boolean {
    if (this.#reply === undefined) return true;
    this.#learn(text);
    if (this.#reply.waitingBytes > MAX_WAITING_BYTES) this.#reply.close();
    this.#reply.deliver(text, delivery);
    return true;
  }

  resume(): void {
    // There is only one message.
  }

  end(): void {
    this.#ended = true;
    this.#reply?.close();
  }

  /** Ends the exchange. */
  leave(): void {
    this.#reply?.close();
  }

  /** A client of this revision cancels a request by closing the stream. */
  #leave(abandoned: JsonText | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    if (abandoned !== undefined) this.#behind.onAbandon(abandoned);
    this.#behind.onEnd();
  }
}

function statusFor(answer: JsonText): number {
  const code = ObjectView.of(answer)?.object('error')?.number('code');
  return (code === undefined ? undefined : STATUS_OF_ERROR.get(code)) ?? 200;
}
