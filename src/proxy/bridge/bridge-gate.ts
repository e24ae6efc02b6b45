import type { Settlement } from '../../intercept/held-message.ts';
import { OrderedQueue, type QueuedItem } from '../../intercept/ordered-queue.ts';
import type { Direction, JsonText } from '../../model/entry.ts';
import type { BridgeHolding } from './bridge-options.ts';

export interface BridgeGateOptions<Cargo> {
  readonly direction: Direction;
  readonly conversation: number;
  readonly holding: BridgeHolding;
  /** Called for each item when its turn comes. `settled` is absent if none of its messages was held or ruled on. */
  readonly pass: (cargo: Cargo, settled: readonly Settlement[] | undefined) => void;
  /** Called when the gate accepts more again. */
  readonly onSpace: () => void;
}

/** Messages that arrived as one. */
export interface GateFrame {
  readonly isBatch: boolean;
  readonly texts: readonly JsonText[];
  /** The HTTP exchange that they arrived in. */
  readonly exchange?: number | undefined;
  /** Whether they have their own exchange, so that later messages need not wait for them. */
  readonly standsAlone: boolean;
}

interface BridgeItem<Cargo> extends QueuedItem {
  readonly cargo: Cargo;
}

/** The hard limit, as a multiple of the soft one. */
const LAST_RESORT = 4;

/**
 * Holds messages in one direction of a client's conversation: asks the interceptor about each one, and keeps their
 * order.
 */
export class BridgeGate<Cargo> {
  readonly #options: BridgeGateOptions<Cargo>;
  readonly #line: OrderedQueue<BridgeItem<Cargo>>;

  constructor(options: BridgeGateOptions<Cargo>) {
    this.#options = options;
    this.#line = new OrderedQueue({
      pass: ({ cargo }, settled) => options.pass(cargo, settled),
      onSpace: options.onSpace,
    });
  }

  /** Whether nothing is watched and nothing waits. If so, messages can bypass the gate. */
  get isClear(): boolean {
    return !this.#options.holding.interceptor.isWatching && this.#line.isEmpty;
  }

  get isEmpty(): boolean {
    return this.#line.isEmpty;
  }

  /** Whether the sender should wait for `onSpace`. */
  get isFull(): boolean {
    return this.#line.isFull;
  }

  /** Whether the hard limit is reached, and nothing more is accepted. */
  get isOverfull(): boolean {
    return this.#line.isBeyond(LAST_RESORT);
  }

  /** Requests a decision for each message, and passes the frame on when all are settled. */
  take({ isBatch, texts, exchange, standsAlone }: GateFrame, cargo: Cargo): void {
    const { direction, conversation, holding } = this.#options;
    const atMs = holding.nowMs();
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    const blocks = !standsAlone && !holding.outOfOrder;
    const from = { direction, atMs, conversation, exchange, inBatch: isBatch };
    this.#line.hold({ cargo, size, blocks }, (onSettled) => holding.interceptor.ask(texts, from, onSettled));
  }

  /** Queues something that needs no decision but must stay in order. */
  follow(cargo: Cargo, size: number): void {
    this.#line.add({ cargo, size, blocks: true });
  }

  /** Drops held messages, because their sender or receiver is gone. */
  withdraw(): void {
    this.#line.withdraw();
  }

  /** Calls back when nothing waits; immediately if that is so now. */
  whenEmpty(callBack: () => void): void {
    this.#line.whenEmpty(callBack);
  }
}
