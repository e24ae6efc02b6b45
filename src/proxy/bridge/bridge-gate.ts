import type { MessageOutcome } from '../../intercept/held-message.ts';
import { OrderedQueue, type QueuedItem } from '../../intercept/ordered-queue.ts';
import type { Direction, JsonText } from '../../model/entry.ts';
import type { BridgeHolding, JudgedBridgeMessage } from './bridge-options.ts';

export interface BridgeGateOptions<Cargo> {
  readonly direction: Direction;
  readonly conversation: number;
  readonly holding: BridgeHolding;
  /** Told when something goes, in its turn. `judged` is absent where nobody held or touched any of it. */
  readonly pass: (cargo: Cargo, judged: JudgedBridgeMessage | undefined) => void;
  /** Told when more can be taken again. */
  readonly onSpace: () => void;
}

/** What came as one. */
export interface GateFrame {
  readonly isBatch: boolean;
  readonly texts: readonly JsonText[];
  /** The HTTP exchange that it came in. */
  readonly exchange?: number | undefined;
  /** Whether it has an exchange to itself, so that nothing has to wait behind it. */
  readonly standsAlone: boolean;
}

interface BridgeItem<Cargo> extends QueuedItem {
  readonly cargo: Cargo;
  readonly isBatch: boolean;
  readonly texts: readonly JsonText[];
  readonly atMs: number;
  readonly settled: MessageOutcome[];
  /** Those that wait to be told what becomes of a message. */
  readonly asking: Set<(settlement: MessageOutcome) => void>;
}

/** So many times as much as should may wait at the last. */
const LAST_RESORT = 4;

/** Stands in one direction of a dialogue: asks the desk about each message, and keeps the order where there is one. */
export class BridgeGate<Cargo> {
  readonly #options: BridgeGateOptions<Cargo>;
  readonly #line: OrderedQueue<BridgeItem<Cargo>>;

  constructor(options: BridgeGateOptions<Cargo>) {
    this.#options = options;
    this.#line = new OrderedQueue({ pass: (item) => this.#passOn(item), onSpace: options.onSpace });
  }

  /** Whether nobody has to be asked and nothing waits: then there is no need to come here. */
  get isClear(): boolean {
    return !this.#options.holding.interceptor.isWatching && this.#line.isEmpty;
  }

  get isEmpty(): boolean {
    return this.#line.isEmpty;
  }

  /** Whether whoever brings more should wait for `onSpace`. */
  get isFull(): boolean {
    return this.#line.isFull;
  }

  /** Whether nothing more can be taken. */
  get isOverfull(): boolean {
    return this.#line.isBeyond(LAST_RESORT);
  }

  /** Takes what came, asks about it, and passes it on when all of it is settled. */
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

  /** Takes something that nobody is asked about, but that must not overtake others. */
  follow(cargo: Cargo, size: number): void {
    const nothing = { isBatch: false, texts: [], settled: [], asking: new Set<never>(), isReady: () => true };
    this.#line.add({ ...nothing, cargo, size, atMs: this.#options.holding.nowMs(), blocks: true });
  }

  /** What is held goes no further: nobody is there any more who said it, or to whom it could be told. */
  withdraw(): void {
    const { interceptor } = this.#options.holding;
    for (const { asking } of [...this.#line.items]) for (const settle of [...asking]) interceptor.withdraw(settle);
  }

  /** Calls back when nothing waits; at once where that is so already. */
  whenEmpty(callBack: () => void): void {
    this.#line.whenEmpty(callBack);
  }

  #passOn({ cargo, isBatch, texts, atMs, settled }: BridgeItem<Cargo>): void {
    const isJudged = settled.some(({ id }) => id !== undefined);
    const messages = isJudged ? texts.map((text, index) => ({ text, ...(settled[index] as MessageOutcome) })) : [];
    this.#options.pass(cargo, isJudged ? { isBatch, messages, atMs } : undefined);
  }
}
