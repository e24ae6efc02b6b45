import { type EventTail, isAfterReturn, isAtEventStart, isAtLineStart, STREAM_START } from './event-tail.ts';

/** A piece of an event stream. All pieces in order make up the stream. */
export interface EventPiece {
  /**
   * `event`: a complete event, with the blank line that ends it. `filler`: a comment or blank line between events,
   * which may overtake them. `part`: bytes of an event that was partly forwarded. `long`: bytes of an event that is too
   * long to keep.
   */
  readonly kind: 'event' | 'filler' | 'part' | 'long';
  readonly bytes: Uint8Array;
  /** Whether these are the last bytes of a long event. */
  readonly isLast?: boolean;
}

const FEED = 0x0a;
const RETURN = 0x0d;
const COLON = 0x3a;

/** Splits the bytes of an event stream into events, and keeps those of an unfinished one. */
export class EventCutter {
  readonly #limit: number;
  /** The bytes of the unfinished event so far. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Whether a complete line of the current event was seen. */
  #isOpen = false;
  /** Whether the current event is forwarded as it arrives. */
  #isPassing = false;
  /** Whether the current event is too long to keep. */
  #isLong = false;
  /** Whether the piece forwarded that way is a comment, whose leading colon is already gone. */
  #passesComment = false;
  #isLineEmpty = true;
  #afterReturn = false;

  /**
   * @param limit The maximum size of an event that is kept, in bytes.
   * @param tail The end of the bytes forwarded so far.
   */
  constructor(limit: number, tail: EventTail = STREAM_START) {
    this.#limit = limit;
    this.skipTo(tail);
  }

  /** All bytes up to this tail were forwarded without being split. */
  skipTo(tail: EventTail): void {
    this.#isPassing = !isAtEventStart(tail);
    this.#isOpen = this.#isPassing;
    this.#isLong = false;
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

  /** Returns the bytes of an unfinished event. The rest of it follows in parts. */
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
    const isTooMuch = !this.#isPassing && this.#pendingBytes + last.length > this.#limit;
    const isLong = this.#isLong || (isTooMuch && this.#isOpen);
    const isWhole = !this.#isPassing && !isTooMuch;
    const kind = isWhole ? (this.#isOpen ? 'event' : 'filler') : isLong ? 'long' : 'part';
    this.#isPassing = false;
    this.#isLong = false;
    this.#passesComment = false;
    this.#isOpen = false;
    return { kind, bytes: this.#takePending(last), ...(isLong && { isLast: true }) };
  }

  #keep(bytes: Uint8Array, pieces: EventPiece[]): void {
    if (!this.#isPassing && this.#pendingBytes + bytes.length <= this.#limit) {
      this.#pending.push(bytes);
      this.#pendingBytes += bytes.length;
      return;
    }
    const wasPassing = this.#isPassing;
    this.#startPassing(this.#pending[0]?.[0] ?? bytes[0]);
    this.#isLong ||= !wasPassing && !this.#passesComment;
    pieces.push({ kind: this.#isLong ? 'long' : 'part', bytes: this.#takePending(bytes) });
  }

  #takePending(last?: Uint8Array): Uint8Array {
    const parts = last === undefined ? this.#pending : [...this.#pending, last];
    this.#pending = [];
    this.#pendingBytes = 0;
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }
}
