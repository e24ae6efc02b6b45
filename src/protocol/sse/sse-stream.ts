/** What stands between two blank lines of an event stream. */
export interface SseItem {
  /** `message` where the stream does not say. */
  readonly event: string;
  /** The id that this event itself has, not one that it inherits. */
  readonly id: string | undefined;
  /** The `retry` that stands with it, in milliseconds. */
  readonly retryMs: number | undefined;
  /** Missing where there was none, as in an event that only hands out an id, and where there was too much. */
  readonly data: string | undefined;
  /** How many characters of data it had, where these are more than are kept. */
  readonly tooLong?: number;
  /** Whether the stream ended before the blank line that ends an event. */
  readonly cut?: true;
}

/** Ids and names of up to this many characters are kept however little data is. */
const MIN_LINE_LIMIT = 1 << 13;

/** The longest that can stand before the value of a field that means something: `event: `, `retry: `. */
const MAX_START = 7;

/**
 * Reads an event stream (WHATWG HTML, 9.2.6) chunk by chunk.
 *
 * Each character is looked at once, however the text is cut, and at most about twice the limit is kept. A carriage
 * return ends its line at once: an event must not wait for a line feed that may never come.
 */
export class SseStream {
  readonly #limit: number;
  readonly #lineLimit: number;
  readonly #line: UnfinishedLine;
  #open: OpenEvent;
  #begun = false;
  #afterReturn = false;

  /** @param limit How many characters of one event's data are kept. */
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

  /** What the end of the stream cuts off, if that is anything. */
  end(): SseItem[] {
    this.#finishLine();
    const item = this.#open.finish();
    this.#open = new OpenEvent(this.#limit);
    return item === undefined ? [] : [{ ...item, cut: true }];
  }

  /** Where a chunk begins to matter: after the stream's byte order mark, and after the rest of a line's end. */
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

/** The fields of an event as far as they were seen. */
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

  /** Takes a line beyond the limit, of which only the head may be left. Where it is no data it is passed over. */
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

/** The value of the line between two offsets, if it is of this field. */
function fieldValue(field: string, text: string, start: number, end: number): string | undefined {
  if (!text.startsWith(field, start)) return undefined;
  const colon = start + field.length;
  if (colon === end) return '';
  if (text.charCodeAt(colon) !== COLON) return undefined;
  return text.slice(text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1, end);
}

/** So many pieces are joined to one: a stream that comes character by character must not take many times its size. */
const PIECES = 1024;

/** A line whose end has not come. Of one beyond the limit only the head is kept. */
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
