import type { Settlement } from '../../intercept/held-message.ts';
import type { Interceptor } from '../../intercept/interceptor.ts';
import { OrderedQueue, type QueuedItem } from '../../intercept/ordered-queue.ts';
import { isUnchanged, refusalIn, sentText } from '../../intercept/settled-frame.ts';
import type { JsonText } from '../../model/entry.ts';
import { TOO_LONG } from '../../model/gap-reasons.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import { RefusedBytes } from '../../protocol/refused-bytes.ts';
import { type RpcBody, textsOf } from '../../protocol/rpc-body.ts';
import type { SseItem } from '../../protocol/sse/sse-stream.ts';
import { EventCutter, type EventPiece } from './event-cutter.ts';
import { eventOf, watchedEvent, withData, withoutData } from './event-frame.ts';
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
  ask(frame: AskedFrame, atMs: number, onSettled: (settled: readonly Settlement[]) => void): () => void;
  /** Reports a part of the stream that cannot be read. Returns whether it must not be forwarded. */
  unread(why: string): boolean;
  /** Sends and records an error in place of a response that was refused. */
  replace(text: JsonText): void;
  /** The stream has ended. A response in it may have been refused, without an id that could be read. */
  unanswered(why: string): void;
  /** Sends an error to the server, whose request was refused. */
  answer(text: JsonText): void;
  /** Called for messages that were held or ruled on, after they were forwarded or dropped. */
  onSettled(settled: readonly Settlement[], event: SseItem): void;
}

/** The messages of an event. `doubt` shows why the client may read them differently. */
export interface AskedFrame {
  readonly body: RpcBody;
  readonly doubt: string | undefined;
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
  /** A long event whose rest is not forwarded, or `false` if it is; `undefined` between long events. */
  #refused: RefusedBytes | false | undefined;
  /** Why events were refused that no error stands for, until a response is forwarded. */
  #lost: string | undefined;
  #hasAnswered = false;

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
    if (interceptor.isWatching || this.#betweenEvents.length > 0 || this.#refused) {
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
    const pending = this.#options.interceptor.isWatching ? this.#cutter.flush() : undefined;
    // Some clients also read a last event without a blank line.
    if (pending !== undefined) this.#takePiece({ kind: 'event', bytes: pending }, this.#options.nowMs());
    else this.#passPending();
    if (this.#refused) this.#refuse(new Uint8Array(0), this.#refused, true);
    this.#refused = undefined;
    this.#leaveInterceptor();
    // An event that was cut off will not be completed.
    this.#writeBetween();
    this.#line.whenEmpty(() => {
      if (this.#lost !== undefined && !this.#hasAnswered) this.#passage.unanswered(this.#lost);
      onEmpty();
    });
  }

  #takePiece({ kind, bytes, isLast = false }: EventPiece, atMs: number): void {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (kind === 'long') {
      this.#takeLong(bytes, isLast, atMs);
      return;
    }
    const read = kind === 'part' || !this.#options.interceptor.isWatching ? undefined : watchedEvent(bytes, isFirst);
    if (read?.kind === 'unread' && this.#passage.unread(read.why)) {
      this.#lost ??= read.why;
      this.#refuse(bytes, new RefusedBytes('server_to_client', read.why), true);
      return;
    }
    if (read?.kind === 'messages') {
      this.#hasAnswered ||= textsOf(read.body).some((text) => readEnvelope(text).kind === 'response');
    }
    if (kind === 'filler') {
      // Comments need not wait: they may keep the connection alive.
      this.#whenBetween(() => this.#passAsItCame(bytes, atMs, true));
    } else if (read?.kind !== 'messages') this.#pass(bytes, atMs);
    else this.#line.hold(this.#item(bytes, atMs, read.event), (onSettled) => this.#passage.ask(read, atMs, onSettled));
  }

  #takeLong(bytes: Uint8Array, isLast: boolean, atMs: number): void {
    this.#refused ??= this.#passage.unread(TOO_LONG) && new RefusedBytes('server_to_client', TOO_LONG);
    if (this.#refused === false) this.#pass(bytes, atMs);
    else {
      this.#lost ??= TOO_LONG;
      this.#refuse(bytes, this.#refused, isLast);
    }
    if (isLast) this.#refused = undefined;
  }

  /** Keeps bytes back. After the last ones, those who wait for their messages get errors. */
  #refuse(bytes: Uint8Array, refused: RefusedBytes, isLast: boolean): void {
    refused.push(bytes);
    if (!isLast) return;
    const { toSender, toReceiver } = refused.end();
    if (toReceiver.length > 0) this.#hasAnswered = true;
    for (const text of toReceiver) this.#passage.replace(text);
    for (const text of toSender) this.#passage.answer(text);
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
    this.#lost ??= refusalIn(settled);
    if (sent !== undefined) this.#write(sent, true);
    this.#passage.onSettled(settled, event);
    this.#writeBetween();
  }

  #sentEvent(bytes: Uint8Array, settled: readonly Settlement[]): Uint8Array | undefined {
    if (isUnchanged(settled)) return bytes;
    const text = sentText(settled);
    // The last event of a stream may lack its end.
    const whole = isAtEventStart(tailAfter(0, bytes)) ? bytes : Buffer.concat([bytes, Buffer.from('\n\n')]);
    return text === undefined ? withoutData(whole, this.#options.knowsEmptyData) : withData(whole, text);
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
