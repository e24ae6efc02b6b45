/** One event of an event stream: the fields between two blank lines. */
export interface SseItem {
  /** `message` if the stream does not name an event. */
  readonly event: string;
  /** The event's own id, not an inherited one. */
  readonly id: string | undefined;
  /** The event's `retry` field, in milliseconds. */
  readonly retryMs: number | undefined;
  /** Absent if the event has no data, as one that only sets an id, or if the data exceeds the limit. */
  readonly data: string | undefined;
  /** The number of characters of data, if it exceeds the limit. */
  readonly tooLong?: number;
  /** Whether the stream ended before the blank line that ends the event. */
  readonly cut?: true;
}

/** Ids and names of up to this many characters are kept even if the data limit is lower. */
const MIN_LINE_LIMIT = 1 << 13;

/** The longest prefix of a known field: `event: `, `retry: `. */
const MAX_START = 7;

/**
 * Parses an event stream (WHATWG HTML, 9.2.6) chunk by chunk.
 *
 * It reads each character once with any chunking, and buffers at most about twice the limit. A carriage return ends its
 * line immediately: an event must not wait for a line feed that may never arrive.
 */
export class SseStream {
  readonly #limit: number;
  readonly #lineLimit: number;
  readonly #line: UnfinishedLine;
  #open: OpenEvent;
  #begun = false;
  #afterReturn = false;

  /** @param limit The maximum number of characters of one event's data that are kept. */
  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#lineLimit = Math.max(limit, MIN_LINE_LIMIT) + MAX_START;
    this.#line = new UnfinishedLine(this.#lineLimit);
    this.#open = new OpenEvent(limit);
  }

  push(text: string): SseItem[] {
    const items: SseItem[] = [];
    if (text === '') return items;
    let at = this.#startOf(text);
    let feed = text.indexOf('\n', at);
    let carriageReturn = text.indexOf('\r', at);
    while (feed >= 0 || carriageReturn >= 0) {
      const end = feed < 0 || (carriageReturn >= 0 && carriageReturn < feed) ? carriageReturn : feed;
      this.#takeLine(text, at, end, items);
      at = end + 1;
      if (end === carriageReturn) {
        if (at === text.length) this.#afterReturn = true;
        else if (feed === at) at++;
        carriageReturn = text.indexOf('\r', at);
      }
      if (feed >= 0 && feed < at) feed = text.indexOf('\n', at);
    }
    if (at < text.length) this.#line.add(at === 0 ? text : text.slice(at));
    return items;
  }

  /** Returns the event that the end of the stream truncates, if any. */
  end(): SseItem[] {
    this.#finishLine();
    const item = this.#open.finish();
    this.#open = new OpenEvent(this.#limit);
    return item === undefined ? [] : [{ ...item, cut: true }];
  }

  /** Skips the stream's byte order mark, or the line feed of a CRLF that was split between chunks. */
  #startOf(text: string): number {
    const skipsMark = !this.#begun && text.charCodeAt(0) === 0xfeff;
    const skipsFeed = this.#afterReturn && text.charCodeAt(0) === 0x0a;
    this.#begun = true;
    this.#afterReturn = false;
    return skipsMark || skipsFeed ? 1 : 0;
  }

  #takeLine(text: string, start: number, end: number, items: SseItem[]): void {
    if (!this.#line.isEmpty) {
      this.#line.add(text.slice(start, end));
      this.#finishLine();
    } else if (start < end) {
      if (end - start > this.#lineLimit) this.#open.takeLong(text.slice(start, end), end - start);
      else this.#open.take(text, start, end);
    } else {
      const item = this.#open.finish();
      if (item !== undefined) items.push(item);
      this.#open = new OpenEvent(this.#limit);
    }
  }

  #finishLine(): void {
    const { head, length } = this.#line.take();
    if (length > this.#lineLimit) this.#open.takeLong(head, length);
    else if (length > 0) this.#open.take(head, 0, length);
  }
}

/** The fields of an event that were read so far. */
class OpenEvent {
  readonly #limit: number;
  #event = '';
  #id: string | undefined;
  #retryMs: number | undefined;
  #data: string[] | undefined;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(text: string, start: number, end: number): void {
    const data = fieldValue('data', text, start, end);
    if (data !== undefined) {
      this.#addData(data, data.length);
      return;
    }
    const event = fieldValue('event', text, start, end);
    if (event !== undefined) this.#event = event;
    const id = fieldValue('id', text, start, end);
    if (id !== undefined && !id.includes('\0')) this.#id = id;
    const retry = fieldValue('retry', text, start, end);
    if (retry !== undefined && /^\d{1,15}$/.test(retry)) this.#retryMs = Number(retry);
  }

  /** Takes a line beyond the limit, of which only the head may be available. A line that is not data is skipped. */
  takeLong(head: string, length: number): void {
    const data = fieldValue('data', head, 0, head.length);
    if (data !== undefined) this.#addData('', length - (head.length - data.length));
  }

  #addData(value: string, size: number): void {
    this.#size += this.#data === undefined ? size : size + 1;
    this.#data ??= [];
    if (this.#size <= this.#limit) this.#data.push(value);
    else this.#data.length = 0;
  }

  finish(): SseItem | undefined {
    const event = this.#event === '' ? 'message' : this.#event;
    const named = { event, id: this.#id, retryMs: this.#retryMs };
    if (this.#size > this.#limit) return { ...named, data: undefined, tooLong: this.#size };
    if (this.#data !== undefined) return { ...named, data: this.#data.join('\n') };
    const says = this.#event !== '' || this.#id !== undefined || this.#retryMs !== undefined;
    return says ? { ...named, data: undefined } : undefined;
  }
}

const COLON = 0x3a;
const SPACE = 0x20;

/** The value of the line between two offsets, if the line has this field name. */
function fieldValue(field: string, text: string, start: number, end: number): string | undefined {
  if (!text.startsWith(field, start)) return undefined;
  const colon = start + field.length;
  if (colon === end) return '';
  if (text.charCodeAt(colon) !== COLON) return undefined;
  return text.slice(text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1, end);
}

/**
 * Pieces are joined in groups of this size, so that a stream of single characters does not take many times its size in
 * memory.
 */
const PIECES = 1024;

/** A line that has not ended yet. If it exceeds the limit, only its head is kept. */
class UnfinishedLine {
  readonly #limit: number;
  #joined: string[] = [];
  #pieces: string[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(piece: string): void {
    const wasLong = this.#length > this.#limit;
    this.#length += piece.length;
    if (wasLong) return;
    this.#pieces.push(piece);
    if (this.#length > this.#limit) {
      this.#joined = [this.#text().slice(0, MAX_START)];
      this.#pieces = [];
    } else if (this.#pieces.length === PIECES) {
      this.#joined.push(this.#pieces.join(''));
      this.#pieces = [];
    }
  }

  take(): { readonly head: string; readonly length: number } {
    const taken = { head: this.#text(), length: this.#length };
    this.#joined = [];
    this.#pieces = [];
    this.#length = 0;
    return taken;
  }

  #text(): string {
    return this.#joined.join('') + this.#pieces.join('');
  }
}
