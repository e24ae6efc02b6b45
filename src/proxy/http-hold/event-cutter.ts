import { type EventTail, isAfterReturn, isAtEventStart, isAtLineStart, STREAM_START } from './event-tail.ts';

/** A piece of an event stream. All of them in a row are the stream. */
export interface EventPiece {
  /**
   * `event`: all of an event, with the blank line that ends it. `filler`: a comment or a blank line between events, which
   * may go before them. `part`: what belongs to an event that has gone on already, or is too long to be kept.
   */
  readonly kind: 'event' | 'filler' | 'part';
  readonly bytes: Uint8Array;
}

const FEED = 0x0a;
const RETURN = 0x0d;
const COLON = 0x3a;

/** Cuts the bytes of an event stream where events end, and keeps those of one that has not ended. */
export class EventCutter {
  readonly #limit: number;
  /** Lines of the event that has begun, as far as they have come. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Whether a line of an event has ended. */
  #isOpen = false;
  /** Whether the event that has begun goes on as it comes. */
  #isPassing = false;
  /** Whether what goes on so is a comment: the colon that it began with is not seen again. */
  #passesComment = false;
  #isLineEmpty = true;
  #afterReturn = false;

  /**
   * @param limit How many bytes of one event are kept.
   * @param tail What went on before.
   */
  constructor(limit: number, tail: EventTail = STREAM_START) {
    this.#limit = limit;
    this.skipTo(tail);
  }

  /** Everything that came has gone on uncut, up to this. */
  skipTo(tail: EventTail): void {
    this.#isPassing = !isAtEventStart(tail);
    this.#isOpen = this.#isPassing;
    this.#passesComment = false;
    this.#isLineEmpty = isAtLineStart(tail);
    this.#afterReturn = isAfterReturn(tail);
  }

  push(chunk: Uint8Array): EventPiece[] {
    const pieces: EventPiece[] = [];
    let start = 0;
    let at = 0;
    if (this.#afterReturn && chunk[0] === FEED) {
      at = 1;
      if (!this.#isOpen) {
        pieces.push({ kind: 'part', bytes: chunk.subarray(0, 1) });
        start = 1;
      }
    }
    if (chunk.length > 0) this.#afterReturn = false;
    let feed = chunk.indexOf(FEED, at);
    let carriageReturn = chunk.indexOf(RETURN, at);
    while (feed >= 0 || carriageReturn >= 0) {
      const end = feed < 0 || (carriageReturn >= 0 && carriageReturn < feed) ? carriageReturn : feed;
      const isBlank = this.#isLineEmpty && end === at;
      at = end + 1;
      if (end === carriageReturn) {
        if (at === chunk.length) this.#afterReturn = true;
        else if (feed === at) at++;
        carriageReturn = chunk.indexOf(RETURN, at);
      }
      if (feed >= 0 && feed < at) feed = chunk.indexOf(FEED, at);
      this.#isLineEmpty = true;
      const isComment = this.#isPassing ? this.#passesComment : (this.#pending[0]?.[0] ?? chunk[start]) === COLON;
      if (isBlank || (!this.#isOpen && isComment)) {
        pieces.push(this.#finish(chunk.subarray(start, at)));
        start = at;
      } else this.#isOpen = true;
    }
    if (at < chunk.length) this.#isLineEmpty = false;
    if (start < chunk.length) this.#keep(chunk.subarray(start), pieces);
    return pieces;
  }

  /** What is kept of an event that has not ended. The rest of it comes in parts. */
  flush(): Uint8Array | undefined {
    const first = this.#pending[0]?.[0];
    if (first === undefined) return undefined;
    this.#startPassing(first);
    return this.#takePending();
  }

  #startPassing(first: number | undefined): void {
    if (this.#isPassing) return;
    this.#isPassing = true;
    this.#passesComment = !this.#isOpen && first === COLON;
    if (!this.#passesComment) this.#isOpen = true;
  }

  #finish(last: Uint8Array): EventPiece {
    const isLong = this.#pendingBytes + last.length > this.#limit;
    const kind = this.#isPassing || isLong ? 'part' : this.#isOpen ? 'event' : 'filler';
    this.#isPassing = false;
    this.#passesComment = false;
    this.#isOpen = false;
    return { kind, bytes: this.#takePending(last) };
  }

  #keep(bytes: Uint8Array, pieces: EventPiece[]): void {
    if (!this.#isPassing && this.#pendingBytes + bytes.length <= this.#limit) {
      this.#pending.push(bytes);
      this.#pendingBytes += bytes.length;
      return;
    }
    this.#startPassing(this.#pending[0]?.[0] ?? bytes[0]);
    pieces.push({ kind: 'part', bytes: this.#takePending(bytes) });
  }

  #takePending(last?: Uint8Array): Uint8Array {
    const parts = last === undefined ? this.#pending : [...this.#pending, last];
    this.#pending = [];
    this.#pendingBytes = 0;
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }
}
