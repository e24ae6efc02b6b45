/** Something on its way. */
export interface QueuedItem {
  readonly size: number;
  /** Whether what comes behind it has to wait for it. */
  readonly blocks: boolean;
  /** Whether it waits for nothing but its turn. */
  readonly isReady: () => boolean;
}

export interface OrderedQueueOptions<Item> {
  /** Told when something goes, in its turn. */
  readonly pass: (item: Item) => void;
  /** Told when so much waits that nothing more should come, and when that is over. */
  readonly onFull?: (() => void) | undefined;
  readonly onSpace: () => void;
}

/** So much may wait behind what is held; then whoever brings more should wait. */
const MAX_WAITING_SIZE = 16 << 20;
const MAX_WAITING = 10_000;

/** Lets things go in the order in which they came: what is not ready keeps back those behind it, if it blocks them. */
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

  /** Whether so many times as much waits as should. */
  isBeyond(times: number): boolean {
    return this.#size > MAX_WAITING_SIZE * times || this.#items.length > MAX_WAITING * times;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Whether something that is ready would go at once. */
  get isOpen(): boolean {
    return this.#items.length === 0 || !this.#items.some(({ blocks }) => blocks);
  }

  /** Lets it go if it may, and has it wait otherwise. */
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

  /** Something has become ready: all go that wait for nothing else. */
  advance(): void {
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) this.#options.pass(next);
    if (this.#wasFull && !this.isFull) {
      this.#wasFull = false;
      this.#options.onSpace();
    }
    if (this.isEmpty) for (const callBack of this.#whenEmpty.splice(0)) callBack();
  }

  /** Calls back when nothing waits; at once where that is so already. */
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
