import type { MessageOutcome } from '../../intercept/held-message.ts';
import { OrderedQueue, type QueuedItem } from '../../intercept/ordered-queue.ts';
import type { Direction, JsonText } from '../../model/entry.ts';
import type { BridgeHolding, JudgedBridgeMessage } from './bridge-options.ts';

export interface BridgeGateOptions<Cargo> {
  readonly direction: Direction;
  readonly conversation: number;
  readonly holding: BridgeHolding;
  /** Called for each item when its turn comes. `judged` is absent if none of its messages was held or ruled on. */
  readonly pass: (cargo: Cargo, judged: JudgedBridgeMessage | undefined) => void;
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
  readonly isBatch: boolean;
  readonly texts: readonly JsonText[];
  readonly atMs: number;
  readonly settled: MessageOutcome[];
  /** Callbacks of messages that are not settled yet. */
  readonly asking: Set<(settlement: MessageOutcome) => void>;
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
    this.#line = new OrderedQueue({ pass: (item) => this.#passOn(item), onSpace: options.onSpace });
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
    const asking: BridgeItem<Cargo>['asking'] = new Set();
    const isReady = (): boolean => asking.size === 0;
    const item: BridgeItem<Cargo> = { cargo, isBatch, texts, size, atMs, blocks, settled: [], asking, isReady };
    let isInLine = false;
    for (const [index, text] of texts.entries()) {
      const settle = (settlement: MessageOutcome): void => {
        item.settled[index] = settlement;
        asking.delete(settle);
        if (isInLine && asking.size === 0) this.#line.advance();
      };
      asking.add(settle);
      holding.interceptor.admit({ direction, text, atMs, conversation, exchange }, settle);
    }
    isInLine = true;
    this.#line.add(item);
  }

  /** Queues something that needs no decision but must stay in order. */
  follow(cargo: Cargo, size: number): void {
    const nothing = { isBatch: false, texts: [], settled: [], asking: new Set<never>(), isReady: () => true };
    this.#line.add({ ...nothing, cargo, size, atMs: this.#options.holding.nowMs(), blocks: true });
  }

  /** Drops held messages, because their sender or receiver is gone. */
  withdraw(): void {
    const { interceptor } = this.#options.holding;
    for (const { asking } of [...this.#line.items]) for (const settle of [...asking]) interceptor.withdraw(settle);
  }

  /** Calls back when nothing waits; immediately if that is so now. */
  whenEmpty(callBack: () => void): void {
    this.#line.whenEmpty(callBack);
  }

  #passOn({ cargo, isBatch, texts, atMs, settled }: BridgeItem<Cargo>): void {
    const isJudged = settled.some(({ id }) => id !== undefined);
    const messages = isJudged ? texts.map((text, index) => ({ text, ...(settled[index] as MessageOutcome) })) : [];
    this.#options.pass(cargo, isJudged ? { isBatch, messages, atMs } : undefined);
  }
}
