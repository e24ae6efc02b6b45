import { onOneLine } from '../json/layout.ts';
import type { Direction, JsonText } from '../model/entry.ts';
import { BoundedLines } from '../transport/bounded-lines.ts';
import type { HoldDesk } from './hold-desk.ts';
import type { JudgedFrame, Settlement } from './holding.ts';
import type { Gate, Passage } from './relay.ts';
import { frameOf } from './stdio-frames.ts';

export interface StdioGateOptions {
  readonly direction: Direction;
  readonly desk: HoldDesk;
  readonly nowMs: () => number;
  /** Longer messages cannot be held. */
  readonly maxMessageBytes: number;
  /** Whether messages may overtake those that are held. */
  readonly outOfOrder: boolean;
  /** Looks at bytes that were passed on as they came. */
  readonly look: (bytes: Uint8Array, atMs: number) => void;
  /** Told of messages that were held or changed, once they have gone where they go. */
  readonly onJudged: (frame: JudgedFrame, direction: Direction, atMs: number) => void;
  /** Says something to whoever sent a message that went no further. */
  readonly answer: (text: JsonText) => void;
}

/** Whole lines on their way: bytes that are passed on as they came, or messages that were asked about. */
interface Item {
  readonly bytes: Uint8Array;
  readonly atMs: number;
  readonly texts: readonly JsonText[];
  readonly isBatch: boolean;
  readonly settled: Settlement[];
  open: number;
}

const LINE_FEED = 0x0a;

/** So much may wait behind a held message; then nothing more is read. */
const MOST_QUEUED_BYTES = 16 << 20;
const MOST_QUEUED = 10_000;

/**
 * Stands in one direction of a stdio stream. While nothing is watched it passes chunks on before anybody looks at them.
 * Otherwise it cuts them into lines, asks the desk about each message, and keeps the order.
 */
export class StdioGate implements Gate {
  readonly #options: StdioGateOptions;
  readonly #passage: Passage;
  readonly #lines: BoundedLines;
  readonly #removeFromDesk: () => void;
  #queue: Item[] = [];
  #queuedBytes = 0;
  #isPaused = false;
  /** The beginning of a line that has not gone on. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** The last bytes that have gone on, or are queued: they tell whether a line has begun that must be ended first. */
  #last: Uint8Array | undefined;
  #injections: (() => void)[] = [];
  #onEmpty: (() => void) | undefined;

  constructor(options: StdioGateOptions, passage: Passage) {
    this.#options = options;
    this.#passage = passage;
    this.#lines = new BoundedLines(options.maxMessageBytes);
    this.#removeFromDesk = options.desk.addGate(() => this.#passPending());
  }

  take(chunk: Uint8Array): void {
    const atMs = this.#options.nowMs();
    if (!this.#options.desk.isWatching && this.#injections.length === 0) this.#pass(chunk, atMs);
    else this.#takeLines(chunk, atMs);
  }

  /** Sends a line of our own as soon as no other has begun. `onSent` is told when it went. */
  inject(text: string, onSent: () => void): void {
    this.#betweenLines(() => {
      this.#passage.forward(lineOf(text));
      onSent();
    });
  }

  end(): Promise<void> {
    this.#passPending();
    this.#removeFromDesk();
    return new Promise((resolve) => {
      if (this.#queue.length === 0) resolve();
      else this.#onEmpty = resolve;
    });
  }

  /** Does at once, or when the line that has begun is over, what would break it. */
  #betweenLines(send: () => void): void {
    if (this.#isMidLine) this.#injections.push(send);
    else send();
  }

  get #isMidLine(): boolean {
    return this.#last !== undefined && this.#last.at(-1) !== LINE_FEED;
  }

  #takeLines(chunk: Uint8Array, atMs: number): void {
    let rest = chunk;
    if (this.#isMidLine) {
      const end = rest.indexOf(LINE_FEED) + 1;
      this.#pass(end === 0 ? rest : rest.subarray(0, end), atMs);
      if (end === 0) return;
      rest = rest.subarray(end);
    }
    for (const send of this.#injections.splice(0)) send();
    if (this.#options.desk.isWatching) this.#cut(rest, atMs);
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
    // It cannot be held, so there is no reason to keep it.
    if (this.#pendingBytes > this.#options.maxMessageBytes) this.#passPending();
  }

  #takeLine(bytes: Uint8Array, atMs: number): void {
    const [line] = this.#lines.push(bytes);
    const frame = line === undefined ? undefined : frameOf(line);
    if (frame?.kind !== 'message' && frame?.kind !== 'batch') {
      this.#pass(bytes, atMs);
      return;
    }
    this.#last = bytes;
    const isBatch = frame.kind === 'batch';
    const texts = isBatch ? frame.texts : [frame.text];
    const item: Item = { bytes, atMs, texts, isBatch, settled: [], open: texts.length };
    this.#ask(item);
  }

  #ask(item: Item): void {
    const { direction, desk } = this.#options;
    let isQueued = false;
    for (const [index, text] of item.texts.entries()) {
      desk.admit({ direction, text, atMs: item.atMs, conversation: 0 }, (settlement) => {
        item.settled[index] = onLine(settlement);
        item.open--;
        if (item.open === 0 && isQueued) this.#advance(item);
      });
    }
    if (item.open === 0 && (this.#queue.length === 0 || this.#options.outOfOrder)) this.#passOn(item);
    else {
      isQueued = true;
      this.#enqueue(item);
    }
  }

  #pass(bytes: Uint8Array, atMs: number): void {
    this.#last = bytes;
    if (this.#queue.length > 0 && !this.#options.outOfOrder) {
      this.#enqueue({ bytes, atMs, texts: [], isBatch: false, settled: [], open: 0 });
      return;
    }
    // Forward first, look second: a slow or full recorder must never hold back the peer that waits for these bytes.
    this.#passage.forward(bytes);
    this.#options.look(bytes, atMs);
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

  #enqueue(item: Item): void {
    this.#queue.push(item);
    this.#queuedBytes += item.bytes.length;
    if (this.#isPaused || (this.#queuedBytes <= MOST_QUEUED_BYTES && this.#queue.length <= MOST_QUEUED)) return;
    this.#isPaused = true;
    this.#passage.pause();
  }

  /** One more is settled: it goes, or all go that have waited for it. */
  #advance(item: Item): void {
    if (this.#options.outOfOrder) this.#betweenLines(() => this.#leave(item));
    else {
      for (let [first] = this.#queue; first?.open === 0; [first] = this.#queue) this.#leave(first);
    }
    if (this.#isPaused && this.#queuedBytes <= MOST_QUEUED_BYTES && this.#queue.length <= MOST_QUEUED) {
      this.#isPaused = false;
      this.#passage.resume();
    }
    if (this.#queue.length === 0) this.#onEmpty?.();
  }

  #leave(item: Item): void {
    if (this.#queue[0] === item) this.#queue.shift();
    else this.#queue = this.#queue.filter((other) => other !== item);
    this.#queuedBytes -= item.bytes.length;
    this.#passOn(item);
  }

  #passOn(item: Item): void {
    const { look, onJudged, direction, answer } = this.#options;
    const { bytes, atMs, texts, isBatch, settled } = item;
    if (settled.every(({ id }) => id === undefined)) {
      this.#passage.forward(bytes);
      look(bytes, atMs);
      return;
    }
    const sent = sentLine(item);
    if (sent !== undefined) this.#passage.forward(sent);
    const messages = texts.map((text, index) => ({ text, ...(settled[index] as Settlement) }));
    onJudged({ isBatch, messages }, direction, atMs);
    for (const { decision } of messages) if (decision.action === 'answer') answer(decision.text);
  }
}

/** What goes on in place of a line, if anything does. */
function sentLine({ bytes, texts, isBatch, settled }: Item): Uint8Array | undefined {
  if (settled.every(({ decision }) => decision.action === 'forward')) return bytes;
  const kept = texts.flatMap((text, index) => {
    const decision = settled[index]?.decision;
    if (decision?.action === 'forward') return [text];
    return decision?.action === 'edit' ? [decision.text] : [];
  });
  if (kept.length === 0) return undefined;
  return lineOf(isBatch ? `[${kept.join(',')}]` : kept.join(''));
}

/** A line break would end the message that it stands in. */
function onLine(settlement: Settlement): Settlement {
  const { decision } = settlement;
  if (decision.action !== 'edit') return settlement;
  return { ...settlement, decision: { ...decision, text: onOneLine(decision.text) } };
}

function lineOf(text: string): Uint8Array {
  return Buffer.from(`${onOneLine(text)}\n`);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}
