import type { Settlement } from '../../intercept/held-message.ts';
import type { Interceptor } from '../../intercept/interceptor.ts';
import { OrderedQueue, type QueuedItem } from '../../intercept/ordered-queue.ts';
import { answersIn, isUnchanged, sentText } from '../../intercept/settled-frame.ts';
import { onOneLine } from '../../json/layout.ts';
import type { Direction, JsonText } from '../../model/entry.ts';
import { TOO_LONG } from '../../model/gap-reasons.ts';
import { RefusedBytes } from '../../protocol/refused-bytes.ts';
import { textsOf } from '../../protocol/rpc-body.ts';
import { watchedLine } from '../../protocol/watched-text.ts';
import { type ForwardedCopy, forwardAndCopy, type Gate, type RelayPassage } from './relay.ts';

export interface StdioGateOptions {
  readonly direction: Direction;
  readonly interceptor: Interceptor;
  readonly nowMs: () => number;
  /** Longer messages cannot be held. */
  readonly maxMessageBytes: number;
  /** Whether messages may overtake held ones. */
  readonly outOfOrder: boolean;
  readonly copy: ForwardedCopy;
  /** Called for messages that were held or ruled on when they are forwarded or dropped: before it if the copy goes first. */
  readonly onSettled: (settled: readonly Settlement[]) => void;
  /** Called when the source sends something although the receiver is gone, before that is recorded. */
  readonly onUnsent: () => void;
  /** Sends a response to the sender of a message that was not forwarded. */
  readonly answer: (text: JsonText) => void;
  /** Sends an error to the receiver in place of a response that was not forwarded. */
  readonly replace: (text: JsonText) => void;
}

/** Complete lines: bytes that are forwarded unchanged, or messages that need a decision. */
interface StdioItem extends QueuedItem {
  readonly bytes: Uint8Array;
  readonly atMs: number;
}

const LINE_FEED = 0x0a;

/**
 * Holds the messages in one direction of a stdio stream. While nothing is watched, it forwards chunks as they
 * are. Otherwise it splits them into lines, asks the interceptor about each message, and keeps the order.
 */
export class StdioGate implements Gate {
  readonly #options: StdioGateOptions;
  readonly #passage: RelayPassage;
  readonly #removeFromInterceptor: () => void;
  readonly #line: OrderedQueue<StdioItem>;
  /** The start of a line that was not forwarded yet. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /**
   * The last bytes forwarded or queued. They show whether a line is unfinished, and must end before another is sent.
   */
  #last: Uint8Array | undefined;
  #injections: (() => void)[] = [];
  /** The line so far, if its rest is not forwarded because it is too long to be judged. */
  #refused: RefusedBytes | undefined;

  constructor(options: StdioGateOptions, passage: RelayPassage) {
    this.#options = options;
    this.#passage = passage;
    this.#line = new OrderedQueue({
      pass: (item, settled) => this.#leave(item, settled),
      onFull: () => passage.pause(),
      onSpace: () => passage.resume(),
    });
    this.#removeFromInterceptor = options.interceptor.addGate(() => this.#passPending());
  }

  readonly take = (chunk: Uint8Array): void => {
    const atMs = this.#options.nowMs();
    const isRefusing = this.#refused !== undefined;
    const isWatched = this.#options.interceptor.isWatching || this.#injections.length > 0 || isRefusing;
    if (isWatched) this.#takeLines(chunk, atMs);
    else this.#pass(chunk, atMs);
  };

  /** Sends an injected line at the next line boundary, and calls `onSent` then: before it if the copy goes first. */
  inject(text: string, onSent: () => void): void {
    const { goesFirst } = this.#options.copy;
    this.#betweenLines(() => {
      if (goesFirst) onSent();
      this.#passage.forward(lineOf(text));
      if (!goesFirst) onSent();
    });
  }

  /** Resolves when nothing waits for a decision. */
  get isClear(): Promise<void> {
    return new Promise((resolve) => this.#line.whenEmpty(resolve));
  }

  end(): Promise<void> {
    // Servers also read a last line that does not end with a line feed.
    if (this.#options.interceptor.isWatching && this.#pending.length > 0) {
      this.#takeLine(joined(this.#takePending()), this.#options.nowMs());
    } else this.#passPending();
    if (this.#refused !== undefined) this.#answerRefused(this.#refused);
    this.#refused = undefined;
    this.#removeFromInterceptor();
    // A line that was cut off will not be completed.
    for (const send of this.#injections.splice(0)) send();
    return this.isClear;
  }

  receiverLeft(): (chunk: Uint8Array) => void {
    this.#passPending();
    const { onUnsent, nowMs } = this.#options;
    let isFirst = true;
    return (chunk) => {
      if (isFirst) onUnsent();
      isFirst = false;
      // Behind what is still held, so that the recording has the order of arrival.
      this.#pass(chunk, nowMs());
    };
  }

  /** Calls `send` now, or after the unfinished line has ended. */
  #betweenLines(send: () => void): void {
    if (this.#isMidLine) this.#injections.push(send);
    else send();
  }

  get #isMidLine(): boolean {
    return this.#last !== undefined && this.#last.at(-1) !== LINE_FEED;
  }

  #takeLines(chunk: Uint8Array, atMs: number): void {
    let rest = this.#refused === undefined ? chunk : this.#afterRefused(chunk, atMs, this.#refused);
    if (rest.length === 0) return;
    if (this.#isMidLine) {
      const end = rest.indexOf(LINE_FEED) + 1;
      this.#pass(end === 0 ? rest : rest.subarray(0, end), atMs);
      if (end === 0) return;
      rest = rest.subarray(end);
    }
    for (const send of this.#injections.splice(0)) send();
    if (this.#options.interceptor.isWatching) this.#cut(rest, atMs);
    else if (rest.length > 0) this.#pass(rest, atMs);
  }

  #cut(bytes: Uint8Array, atMs: number): void {
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      this.#takeLine(joined([...this.#takePending(), bytes.subarray(start, end + 1)]), atMs);
      start = end + 1;
    }
    if (start === bytes.length) return;
    this.#pending.push(bytes.subarray(start));
    this.#pendingBytes += bytes.length - start;
    // Too long to be held, so it need not be kept.
    if (this.#pendingBytes <= this.#options.maxMessageBytes) return;
    if (this.#isRefused(TOO_LONG)) {
      this.#refused = new RefusedBytes(this.#options.direction, TOO_LONG);
      this.#keepBack(joined(this.#takePending()), atMs, this.#refused);
    } else this.#passPending();
  }

  #takeLine(bytes: Uint8Array, atMs: number): void {
    const line = bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes;
    const isLong = line.length > this.#options.maxMessageBytes;
    const read = isLong ? ({ kind: 'unread', why: TOO_LONG } as const) : watchedLine(line);
    if (read.kind === 'unread' && this.#isRefused(read.why)) this.#refuse(bytes, read.why, atMs);
    else if (read.kind !== 'messages') this.#pass(bytes, atMs);
    else {
      this.#last = bytes;
      const { body, doubt } = read;
      const { direction, interceptor } = this.#options;
      const from = { direction, atMs, conversation: 0, inBatch: body.kind === 'batch', doubt };
      this.#line.hold(this.#item(bytes, atMs), (onSettled) => interceptor.ask(textsOf(body), from, onSettled));
    }
  }

  #isRefused(why: string): boolean {
    const { interceptor, direction } = this.#options;
    return interceptor.unread({ direction, conversation: 0, why });
  }

  #refuse(bytes: Uint8Array, why: string, atMs: number): void {
    const refused = new RefusedBytes(this.#options.direction, why);
    this.#keepBack(bytes, atMs, refused);
    this.#answerRefused(refused);
  }

  /** Records bytes that are not forwarded. */
  #keepBack(bytes: Uint8Array, atMs: number, refused: RefusedBytes): void {
    refused.push(bytes);
    this.#options.copy.push(bytes, atMs);
  }

  #answerRefused(refused: RefusedBytes): void {
    const { toSender, toReceiver } = refused.end();
    for (const text of toSender) this.#options.answer(text);
    for (const text of toReceiver) this.#options.replace(text);
  }

  /** Records the rest of a refused line, and returns the bytes after it. */
  #afterRefused(chunk: Uint8Array, atMs: number, refused: RefusedBytes): Uint8Array {
    const end = chunk.indexOf(LINE_FEED) + 1;
    const rest = end === 0 ? chunk : chunk.subarray(0, end);
    this.#keepBack(rest, atMs, refused);
    if (end > 0) {
      this.#refused = undefined;
      this.#answerRefused(refused);
    }
    return chunk.subarray(rest.length);
  }

  #item(bytes: Uint8Array, atMs: number): StdioItem {
    return { bytes, size: bytes.length, atMs, blocks: !this.#options.outOfOrder };
  }

  #pass(bytes: Uint8Array, atMs: number): void {
    this.#last = bytes;
    if (!this.#line.isOpen) {
      this.#line.add(this.#item(bytes, atMs));
      return;
    }
    this.#forward(bytes, atMs);
  }

  #forward(bytes: Uint8Array, atMs: number): void {
    forwardAndCopy(bytes, atMs, this.#passage.forward, this.#options.copy);
  }

  #passPending(): void {
    if (this.#pending.length > 0) this.#pass(joined(this.#takePending()), this.#options.nowMs());
  }

  #takePending(): Uint8Array[] {
    const pending = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    return pending;
  }

  /** In order, it precedes any unfinished line. Out of order, it must not interrupt one. */
  #leave(item: StdioItem, settled: readonly Settlement[] | undefined): void {
    const pass = (): void => this.#passOn(item, settled && onLines(settled));
    if (this.#options.outOfOrder) this.#betweenLines(pass);
    else pass();
  }

  #passOn({ bytes, atMs }: StdioItem, settled: readonly Settlement[] | undefined): void {
    const { copy, onSettled, answer } = this.#options;
    if (settled === undefined) {
      this.#forward(bytes, atMs);
      return;
    }
    const text = sentText(settled);
    if (copy.goesFirst) onSettled(settled);
    if (isUnchanged(settled)) this.#passage.forward(bytes);
    else if (text !== undefined) this.#passage.forward(lineOf(text));
    if (!copy.goesFirst) onSettled(settled);
    for (const own of answersIn(settled)) answer(own);
  }
}

/** Removes line breaks from edits, because a line break would end the message. */
function onLines(settled: readonly Settlement[]): readonly Settlement[] {
  return settled.map((settlement) => {
    const { decision } = settlement;
    if (decision.action !== 'edit') return settlement;
    return { ...settlement, decision: { ...decision, text: onOneLine(decision.text) } };
  });
}

function lineOf(text: string): Uint8Array {
  return Buffer.from(`${onOneLine(text)}\n`);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}
