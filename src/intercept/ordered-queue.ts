/** A queued message or chunk. */
export interface QueuedItem {
  readonly size: number;
  /** Whether later items must wait for this one. */
  readonly blocks: boolean;
  /** Whether it can be passed on as soon as its turn comes. */
  readonly isReady: () => boolean;
}

export interface OrderedQueueOptions<Item> {
  /** Called with each item when its turn comes. */
  readonly pass: (item: Item) => void;
  /** Called when the queue reaches its limit; `onSpace` is called when it is below the limit again. */
  readonly onFull?: (() => void) | undefined;
  readonly onSpace: () => void;
}

/** Limits of the queue, in total size and number of items. Beyond them, the producer should pause. */
const MAX_WAITING_SIZE = 16 << 20;
const MAX_WAITING = 10_000;

/** Passes items on in the order of arrival. A blocking item that is not ready delays the items behind it. */
export class OrderedQueue<Item extends QueuedItem> {
  readonly #options: OrderedQueueOptions<Item>;
  readonly #items: Item[] = [];
  readonly #whenEmpty: (() => void)[] = [];
  #size = 0;
  #wasFull = false;

  constructor(options: OrderedQueueOptions<Item>) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  get isFull(): boolean {
    return this.isBeyond(1);
  }

  /** Whether the queue holds more than `times` its limit. */
  isBeyond(times: number): boolean {
    return this.#size > MAX_WAITING_SIZE * times || this.#items.length > MAX_WAITING * times;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Whether a ready item would be passed on at once. */
  get isOpen(): boolean {
    return this.#items.length === 0 || !this.#items.some(({ blocks }) => blocks);
  }

  /** Passes the item on if its turn has come, and queues it otherwise. */
  add(item: Item): void {
    if (item.isReady() && this.isOpen) {
      this.#options.pass(item);
      return;
    }
    this.#items.push(item);
    this.#size += item.size;
    if (this.#wasFull || !this.isFull) return;
    this.#wasFull = true;
    this.#options.onFull?.();
  }

  /** Passes on every item whose turn has come. Call it after an item became ready. */
  advance(): void {
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) this.#options.pass(next);
    if (this.#wasFull && !this.isFull) {
      this.#wasFull = false;
      this.#options.onSpace();
    }
    if (this.isEmpty) for (const callBack of this.#whenEmpty.splice(0)) callBack();
  }

  /** Calls back when the queue is empty; immediately if it is empty now. */
  whenEmpty(callBack: () => void): void {
    if (this.isEmpty) callBack();
    else this.#whenEmpty.push(callBack);
  }

  #takeNext(): Item | undefined {
    const index = this.#items.findIndex((item) => item.blocks || item.isReady());
    const next = this.#items[index];
    if (next === undefined || !next.isReady()) return undefined;
    this.#items.splice(index, 1);
    this.#size -= next.size;
    return next;
  }
}
