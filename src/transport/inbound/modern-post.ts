import { ObjectView } from '../../json/object-view.ts';
import type { JsonText } from '../../model/entry.ts';
import { idKey, readEnvelope } from '../../protocol/envelope.ts';
import type { ToolHeaders } from '../../protocol/modern-headers.ts';
import type { RpcBody } from '../../protocol/rpc-body.ts';
import type { InboundExchange, InboundOptions } from './inbound-exchange.ts';
import type { ClientDialogue, DialogueEvents, MessageDelivery } from './inbound-transport.ts';
import { PostReply } from './post-reply.ts';

/** The target is shared with other clients, which must not wait for one that takes nothing. */
const MAX_WAITING_BYTES = 64 << 20;

/** The status that goes with an error, where that is the whole answer (revision 2026-07-28). */
const STATUS_OF_ERROR: ReadonlyMap<number, number> = new Map([
  [-32601, 404],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

/** One message of a client that has no conversation: a dialogue of its own, which ends with the exchange. */
export class ModernPost implements ClientDialogue {
  readonly conversation = 0;
  readonly isSingle = true;
  readonly takesApart = true;
  readonly #behind: DialogueEvents;
  readonly #learn: (answer: JsonText) => void;
  #reply: PostReply | undefined;
  #ended = false;

  /** `tools` is told of the tools that the server lists: their arguments may have to be in headers. */
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
        asked: [idKey(id)],
        isBatch: false,
        events,
        statusFor,
        streamAfterMs,
        onOver: (isAnswered) => this.#leave(isAnswered ? undefined : id),
      });
    }
    const place = { conversation: 0, exchange: exchange.number };
    this.#behind.onMessage({ body, text: body.text, place });
    if (this.#reply !== undefined) return;
    exchange.reply(202, undefined);
    // Its exchange is over, but it may not have gone on yet.
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
    // There is but one message.
  }

  end(): void {
    this.#ended = true;
    this.#reply?.close();
  }

  /** Nobody waits any more: the exchange is over, or has to be. */
  leave(): void {
    this.#reply?.close();
  }

  /** Closing the stream is how a client of this revision cancels what it asked for. */
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
