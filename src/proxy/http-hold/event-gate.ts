import type { Settlement } from '../../intercept/held-message.ts';
import type { Interceptor } from '../../intercept/interceptor.ts';
import { OrderedQueue, type QueuedItem } from '../../intercept/ordered-queue.ts';
import { isUnchanged, sentText } from '../../intercept/settled-frame.ts';
import type { JsonText } from '../../model/entry.ts';
import { type RpcBody, rpcFramesOf } from '../../protocol/rpc-body.ts';
import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import { EventCutter, type EventPiece } from './event-cutter.ts';
import { eventIn, eventOf, withData, withoutData } from './event-frame.ts';
import { type EventTail, isAtEventStart, STREAM_START, tailAfter } from './event-tail.ts';

/** What a gate can do with its stream. */
export interface EventPassage {
  write(bytes: Uint8Array): void;
  /** Stops reading until `resume`. */
  pause(): void;
  resume(): void;
  /** Records bytes that were forwarded unchanged. */
  look(bytes: Uint8Array, atMs: number): void;
  /** Requests the outcome of an event's messages, and returns what withdraws the question. */
  ask(frame: RpcBody, atMs: number, onSettled: (settled: readonly Settlement[]) => void): () => void;
  /** Called for messages that were held or ruled on, after they were forwarded or dropped. */
  onSettled(settled: readonly Settlement[], event: SseItem): void;
}

export interface EventGateOptions {
  readonly interceptor: Interceptor;
  /** Longer events cannot be held. */
  readonly limit: number;
  /** Whether events may overtake held ones. */
  readonly outOfOrder: boolean;
  /** Whether the client knows events with empty data. */
  readonly knowsEmptyData: boolean;
  readonly nowMs: () => number;
  /** The last bytes of the stream so far. */
  readonly tail: EventTail;
}

/** Part of a stream: bytes that are forwarded unchanged, or an event whose messages need a decision. */
interface EventItem extends QueuedItem {
  readonly bytes: Uint8Array;
  readonly atMs: number;
  readonly event: SseItem | undefined;
}

/**
 * Holds the messages of an event stream. While the interceptor is watching, it splits the stream into events, requests
 * a decision for each message, and keeps the order. Otherwise it forwards chunks before they are recorded.
 */
export class EventGate {
  readonly #options: EventGateOptions;
  readonly #passage: EventPassage;
  readonly #cutter: EventCutter;
  readonly #leaveInterceptor: () => void;
  readonly #line: OrderedQueue<EventItem>;
  #isFirst: boolean;
  /** The ends of what was read and written: an injected event must not be written inside another. */
  #readTail: EventTail;
  #writtenTail: EventTail;
  #betweenEvents: (() => void)[] = [];

  constructor(options: EventGateOptions, passage: EventPassage) {
    const { interceptor, limit, tail } = options;
    this.#options = options;
    this.#passage = passage;
    this.#cutter = new EventCutter(limit, tail);
    this.#readTail = tail;
    this.#writtenTail = tail;
    this.#isFirst = tail === STREAM_START;
    this.#line = new OrderedQueue({
      pass: (item, settled) => this.#leave(item, settled),
      onFull: () => passage.pause(),
      onSpace: () => passage.resume(),
    });
    this.#leaveInterceptor = interceptor.addGate(() => this.#passPending());
  }

  take(chunk: Uint8Array): void {
    const atMs = this.#options.nowMs();
    this.#readTail = tailAfter(this.#readTail, chunk);
    const { interceptor } = this.#options;
    if (interceptor.isWatching || this.#betweenEvents.length > 0) {
      for (const piece of this.#cutter.push(chunk)) this.#takePiece(piece, atMs);
      if (!interceptor.isWatching) this.#passPending();
    } else {
      this.#pass(chunk, atMs);
      this.#cutter.skipTo(this.#readTail);
    }
  }

  /** Sends an injected message at the next event boundary, and then calls `onSent`. */
  inject(text: JsonText, onSent: () => void): void {
    this.#whenBetween(() => {
      this.#write(eventOf(text), true);
      onSent();
    });
  }

  /** The stream has ended. Calls `onEmpty` when everything was forwarded. */
  end(onEmpty: () => void): void {
    this.#passPending();
    this.#leaveInterceptor();
    // An event that broke off will not be completed.
    this.#writeBetween();
    this.#line.whenEmpty(onEmpty);
  }

  #takePiece({ kind, bytes }: EventPiece, atMs: number): void {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (kind === 'filler') {
      // Comments need not wait: they may keep the connection alive.
      this.#whenBetween(() => this.#passAsItCame(bytes, atMs, true));
      return;
    }
    const event = kind === 'event' ? eventIn(bytes, isFirst) : undefined;
    const frame = event?.data === undefined ? undefined : rpcFramesOf(event.data);
    if (frame === undefined) this.#pass(bytes, atMs);
    else this.#line.hold(this.#item(bytes, atMs, event), (onSettled) => this.#passage.ask(frame, atMs, onSettled));
  }

  #pass(bytes: Uint8Array, atMs: number): void {
    if (this.#line.isOpen) this.#passAsItCame(bytes, atMs, false);
    else this.#line.add(this.#item(bytes, atMs, undefined));
  }

  #item(bytes: Uint8Array, atMs: number, event: SseItem | undefined): EventItem {
    return { bytes, atMs, event, size: bytes.length, blocks: !this.#options.outOfOrder };
  }

  #passPending(): void {
    const pending = this.#cutter.flush();
    if (pending !== undefined) this.#pass(pending, this.#options.nowMs());
  }

  #leave(item: EventItem, settled: readonly Settlement[] | undefined): void {
    if (item.event === undefined) this.#passOn(item, settled);
    else this.#whenBetween(() => this.#passOn(item, settled));
  }

  #passOn({ bytes, atMs, event }: EventItem, settled: readonly Settlement[] | undefined): void {
    if (event === undefined || settled === undefined) {
      this.#passAsItCame(bytes, atMs, event !== undefined);
      return;
    }
    const sent = this.#sentEvent(bytes, settled);
    if (sent !== undefined) this.#write(sent, true);
    this.#passage.onSettled(settled, event);
    this.#writeBetween();
  }

  #sentEvent(bytes: Uint8Array, settled: readonly Settlement[]): Uint8Array | undefined {
    if (isUnchanged(settled)) return bytes;
    const text = sentText(settled);
    return text === undefined ? withoutData(bytes, this.#options.knowsEmptyData) : withData(bytes, text);
  }

  #passAsItCame(bytes: Uint8Array, atMs: number, isWhole: boolean): void {
    this.#write(bytes, isWhole);
    this.#passage.look(bytes, atMs);
    if (isAtEventStart(this.#writtenTail)) this.#writeBetween();
  }

  #whenBetween(send: () => void): void {
    if (isAtEventStart(this.#writtenTail)) send();
    else this.#betweenEvents.push(send);
  }

  /** @param isWhole False if the rest of an event follows. */
  #write(bytes: Uint8Array, isWhole: boolean): void {
    this.#passage.write(bytes);
    this.#writtenTail = isWhole ? STREAM_START : tailAfter(this.#writtenTail, bytes);
  }

  #writeBetween(): void {
    for (const send of this.#betweenEvents.splice(0)) send();
  }
}
