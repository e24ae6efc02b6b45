import type { Settlement } from './held-message.ts';
import { isUntouched } from './settled-frame.ts';

/** A chunk, or a frame with messages to decide on. */
export interface QueuedItem {
  readonly size: number;
  /** Whether later items must wait for this one. */
  readonly blocks: boolean;
}

export interface OrderedQueueOptions<Item> {
  /** Called with each item when its turn comes. `settled` is absent if none of its messages was held or ruled on. */
  readonly pass: (item: Item, settled: readonly Settlement[] | undefined) => void;
  /** Called when the queue reaches its limit; `onSpace` is called when it is below the limit again. */
  readonly onFull?: (() => void) | undefined;
  readonly onSpace: () => void;
}

/** An item, and what became of its messages. */
interface WaitingItem<Item> {
  readonly item: Item;
  /** Absent while a message waits for a decision. */
  settled: readonly Settlement[] | undefined;
  withdraw: () => void;
}

/** Limits of the queue, in total size and number of items. Beyond them, the producer should pause. */
const MAX_WAITING_SIZE = 16 << 20;
const MAX_WAITING = 10_000;

/** Passes items on in the order of arrival. A blocking item that is not settled delays the items behind it. */
export class OrderedQueue<Item extends QueuedItem> {
  readonly #options: OrderedQueueOptions<Item>;
  readonly #waiting: WaitingItem<Item>[] = [];
  readonly #whenEmpty: (() => void)[] = [];
  #size = 0;
  #wasFull = false;

  constructor(options: OrderedQueueOptions<Item>) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.isBeyond(1);
  }

  /** Whether the queue holds more than `times` its limit. */
  isBeyond(times: number): boolean {
    return this.#size > MAX_WAITING_SIZE * times || this.#waiting.length > MAX_WAITING * times;
  }

  /** Whether an item without messages would be passed on at once. */
  get isOpen(): boolean {
    return this.#waiting.length === 0 || !this.#waiting.some(({ item }) => item.blocks);
  }

  /** Passes an item without messages on if its turn has come, and queues it otherwise. */
  add(item: Item): void {
    this.#add({ item, settled: [], withdraw: () => undefined });
  }

  /** Queues an item until its messages are settled. `ask` is called at once, and returns what withdraws the question. */
  hold(item: Item, ask: (onSettled: (settled: readonly Settlement[]) => void) => () => void): void {
    const waiting: WaitingItem<Item> = { item, settled: undefined, withdraw: () => undefined };
    let isInLine = false;
    waiting.withdraw = ask((settled) => {
      waiting.settled = settled;
      if (isInLine) this.#advance();
    });
    isInLine = true;
    this.#add(waiting);
  }

  /** Drops the messages that wait for a decision. */
  withdraw(): void {
    for (const { withdraw } of [...this.#waiting]) withdraw();
  }

  /** Calls back when the queue is empty; immediately if it is empty now. */
  whenEmpty(callBack: () => void): void {
    if (this.isEmpty) callBack();
    else this.#whenEmpty.push(callBack);
  }

  #add(waiting: WaitingItem<Item>): void {
    if (waiting.settled !== undefined && this.isOpen) {
      this.#pass(waiting);
      return;
    }
    this.#waiting.push(waiting);
    this.#size += waiting.item.size;
    if (this.#wasFull || !this.isFull) return;
    this.#wasFull = true;
    this.#options.onFull?.();
  }

  /** Passes on every item whose turn has come. */
  #advance(): void {
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) this.#pass(next);
    if (this.#wasFull && !this.isFull) {
      this.#wasFull = false;
      this.#options.onSpace();
    }
    if (this.isEmpty) for (const callBack of this.#whenEmpty.splice(0)) callBack();
  }

  #takeNext(): WaitingItem<Item> | undefined {
    const index = this.#waiting.findIndex(({ item, settled }) => item.blocks || settled !== undefined);
    const next = this.#waiting[index];
    if (next?.settled === undefined) return undefined;
    this.#waiting.splice(index, 1);
    this.#size -= next.item.size;
    return next;
  }

  #pass({ item, settled = [] }: WaitingItem<Item>): void {
    this.#options.pass(item, isUntouched(settled) ? undefined : settled);
  }
}
