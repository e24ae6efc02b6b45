import type { IncomingMessage } from 'node:http';
import type { Settlement } from '../../intercept/held-message.ts';
import type { Interceptor } from '../../intercept/interceptor.ts';
import type { Direction, JsonText } from '../../model/entry.ts';
import type { ToolHeaders } from '../../protocol/modern-headers.ts';
import { rpcFramesOf, textsOf } from '../../protocol/rpc-body.ts';
import type { ExchangeTap } from '../http/exchange-tap.ts';
import { headerOf, type RawHeaders } from '../http/http-headers.ts';
import type { IdleQueue } from '../http/idle-queue.ts';
import { gatherBody } from './gathered-body.ts';

/** The dependencies for holding messages of HTTP exchanges. */
export interface HttpHolding {
  readonly interceptor: Interceptor;
  /** Whether events may overtake held ones. */
  readonly outOfOrder: boolean;
  /** Longer messages cannot be held. */
  readonly maxMessageBytes: number;
  /** The known headers that repeat tool arguments. */
  readonly tools: ToolHeaders;
  /** Whether answers arrive on the conversation's event stream, as in HTTP+SSE. */
  readonly answersOnStream: boolean;
  /** Injects a message, if a receiver is connected. */
  readonly say: (direction: Direction, text: JsonText, conversation: number) => void;
}

export interface HeldBodyOptions {
  readonly holding: HttpHolding;
  readonly headers: RawHeaders;
  readonly direction: Direction;
  readonly tap: ExchangeTap;
  readonly idleQueue: IdleQueue;
  readonly nowMs: () => number;
}

/** A body that was kept back and may be forwarded now. */
export interface HeldBody {
  /** The chunks as received. */
  readonly chunks: readonly Uint8Array[];
  /** Whether the body is complete. If not, reading is paused, or the body broke off. */
  readonly isWhole: boolean;
  /** When the last chunk arrived. */
  readonly atMs: number;
  /** The outcome of its messages, if it consists of messages. */
  readonly settled: readonly Settlement[] | undefined;
}

/** Buffers a body until its messages are decided. A body without messages is passed on unchanged. */
export function holdBody(from: IncomingMessage, options: HeldBodyOptions, onHeld: (held: HeldBody) => void): void {
  const { holding, headers, direction, tap, idleQueue, nowMs } = options;
  const { interceptor, maxMessageBytes: limit } = holding;
  gatherBody(
    from,
    { interceptor, limit, encoding: headerOf(headers, 'content-encoding') },
    ({ chunks, isWhole, text }) => {
      const atMs = nowMs();
      const frame = text === undefined || text === '' ? undefined : rpcFramesOf(text);
      if (frame === undefined) {
        onHeld({ chunks, isWhole, atMs, settled: undefined });
        return;
      }
      // Earlier traffic must be recorded before this body.
      idleQueue.finish();
      const conversation = tap.conversationOf(frame);
      const inBatch = frame.kind === 'batch';
      interceptor.ask(textsOf(frame), { direction, atMs, conversation, exchange: tap.number, inBatch }, (settled) =>
        onHeld({ chunks, isWhole, atMs, settled }),
      );
    },
  );
}
