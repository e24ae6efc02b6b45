import type { IncomingMessage } from 'node:http';
import type { JudgedFrame } from '../../intercept/held-message.ts';
import type { Interceptor } from '../../intercept/interceptor.ts';
import { askAbout } from '../../intercept/judged-frame.ts';
import type { Direction, JsonText } from '../../model/entry.ts';
import type { ToolHeaders } from '../../protocol/modern-headers.ts';
import { rpcFramesOf } from '../../protocol/rpc-body.ts';
import type { ExchangeTap } from '../http/exchange-tap.ts';
import { headerOf, type RawHeaders } from '../http/http-headers.ts';
import type { IdleQueue } from '../http/idle-queue.ts';
import { gatherBody } from './gathered-body.ts';

/** What it takes to hold messages of HTTP exchanges. */
export interface HttpHolding {
  readonly interceptor: Interceptor;
  /** Whether events may overtake those that are held. */
  readonly outOfOrder: boolean;
  /** Longer messages cannot be held. */
  readonly maxMessageBytes: number;
  /** What is known of headers that repeat arguments. */
  readonly tools: ToolHeaders;
  /** Whether requests are answered on the event stream of their conversation, as in the older transport. */
  readonly answersOnStream: boolean;
  /** Sends a message that neither side has said, if there is anybody to send it to. */
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

/** A body that was kept back, and may go on now. */
export interface HeldBody {
  /** As they came. */
  readonly chunks: readonly Uint8Array[];
  /** Whether nothing more comes; otherwise reading is paused, or the body broke off. */
  readonly isWhole: boolean;
  /** When the last of it came. */
  readonly atMs: number;
  /** What became of its messages, where it consists of such. */
  readonly judged: JudgedFrame | undefined;
}

/** Keeps a body back until it is known what becomes of the messages in it. One that has none goes on as it came. */
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
        onHeld({ chunks, isWhole, atMs, judged: undefined });
        return;
      }
      // What came before is told before anything is told of this.
      idleQueue.finish();
      const conversation = tap.conversationOf(frame);
      askAbout(interceptor, frame, { direction, atMs, conversation, exchange: tap.number }, (judged) =>
        onHeld({ chunks, isWhole, atMs, judged }),
      );
    },
  );
}
