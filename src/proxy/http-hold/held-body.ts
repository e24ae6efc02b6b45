import type { IncomingMessage } from 'node:http';
import type { Settlement } from '../../intercept/held-message.ts';
import type { Interceptor } from '../../intercept/interceptor.ts';
import type { Direction, JsonText } from '../../model/entry.ts';
import type { ToolHeaders } from '../../protocol/modern-headers.ts';
import { textsOf } from '../../protocol/rpc-body.ts';
import { type WatchedText, watchedBody } from '../../protocol/watched-text.ts';
import type { ExchangeTap } from '../http/exchange-tap.ts';
import { listOf, mayBeJson, type RawHeaders } from '../http/http-headers.ts';
import type { IdleQueue } from '../http/idle-queue.ts';
import { type GatheredBody, gatherBody } from './gathered-body.ts';

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
  /** Whether the body is complete. If not, reading is paused, or the body was cut off. */
  readonly isWhole: boolean;
  /** When the last chunk arrived. */
  readonly atMs: number;
  /** The outcome of its messages, if it consists of messages. */
  readonly settled: readonly Settlement[] | undefined;
  /** Why it must not be forwarded, if it cannot be read and messages without a decision are refused. */
  readonly refused?: string | undefined;
}

/**
 * Buffers a body until its messages are decided. A body without messages is passed on unchanged, and so is one that
 * cannot be read, unless it must be refused.
 */
export function holdBody(from: IncomingMessage, options: HeldBodyOptions, onHeld: (held: HeldBody) => void): void {
  const { holding, headers, direction, tap, idleQueue, nowMs } = options;
  const { interceptor, maxMessageBytes: limit } = holding;
  // A server may read any body as JSON. A client also gets pages and files, which it does not.
  const isStrict = direction === 'client_to_server' || mayBeJson(headers);
  const encoding = listOf(headers, 'content-encoding');
  gatherBody(from, { interceptor, limit, encoding, isStrict }, (gathered) => {
    const { chunks, isWhole } = gathered;
    const atMs = nowMs();
    const read = contentOf(gathered, charsetOf(headers));
    const exchange = tap.number;
    if (read.kind !== 'messages') {
      const isUnread = read.kind === 'unread' && isStrict && chunks.length > 0;
      const unread = {
        direction,
        conversation: tap.conversationOf(undefined),
        exchange,
        why: isUnread ? read.why : '',
      };
      const refused = isUnread && interceptor.unread(unread) ? read.why : undefined;
      onHeld({ chunks, isWhole, atMs, settled: undefined, refused });
      return;
    }
    const { body, doubt } = read;
    // Earlier traffic must be recorded before this body.
    idleQueue.afterAll(() => {
      const conversation = tap.conversationOf(body);
      const from = { direction, atMs, conversation, exchange, inBatch: body.kind === 'batch', doubt };
      interceptor.ask(textsOf(body), from, (settled) => onHeld({ chunks, isWhole, atMs, settled }));
    });
  });
}

function contentOf({ content, unread }: GatheredBody, charset: string | undefined): WatchedText {
  if (unread !== undefined) return { kind: 'unread', why: unread };
  return content === undefined ? { kind: 'other' } : watchedBody(content, charset);
}

/** The charset that the headers name, even if they name it oddly. */
function charsetOf(headers: RawHeaders): string | undefined {
  const [, quoted, plain] =
    /charset\*?\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i.exec(listOf(headers, 'content-type') ?? '') ?? [];
  const named = quoted ?? plain;
  return named === undefined || named.trim() === '' ? undefined : named.trim();
}
