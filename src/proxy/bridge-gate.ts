import type { Direction, JsonText } from '../model/entry.ts';
import type { Holding, Judged } from './bridge-options.ts';
import type { Settlement } from './holding.ts';

export interface BridgeGateOptions<Cargo> {
  readonly direction: Direction;
  readonly conversation: number;
  readonly holding: Holding;
  /** Told when something goes, in its turn. `judged` is absent where nobody held or touched any of it. */
  readonly pass: (cargo: Cargo, judged: Judged | undefined) => void;
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

interface Item<Cargo> {
  readonly cargo: Cargo;
  readonly isBatch: boolean;
  readonly texts: readonly JsonText[];
  readonly size: number;
  readonly atMs: number;
  /** Whether others wait behind it. */
  readonly blocks: boolean;
  readonly settled: Settlement[];
  /** Those that wait to be told what becomes of a message. */
  readonly asking: Set<(settlement: Settlement) => void>;
}

/** So much may wait behind a held message; then whoever brings more should wait, and must at the last. */
const MOST_QUEUED_SIZE = 16 << 20;
const MOST_QUEUED = 10_000;
const LAST_RESORT = 4;

/** Stands in one direction of a dialogue: asks the desk about each message, and keeps the order where there is one. */
export class BridgeGate<Cargo> {
  readonly #options: BridgeGateOptions<Cargo>;
  readonly #queue: Item<Cargo>[] = [];
  #queuedSize = 0;
  #wasFull = false;
  readonly #whenEmpty: (() => void)[] = [];

  constructor(options: BridgeGateOptions<Cargo>) {
    this.#options = options;
  }

  /** Whether nobody has to be asked and nothing waits: then there is no need to come here. */
  get isClear(): boolean {
    return !this.#options.holding.desk.isWatching && this.#queue.length === 0;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** Whether whoever brings more should wait for `onSpace`. */
  get isFull(): boolean {
    return this.#isBeyond(1);
  }

  /** Whether nothing more can be taken. */
  get isOverfull(): boolean {
    return this.#isBeyond(LAST_RESORT);
  }

  /** Takes what came, asks about it, and passes it on when all of it is settled. */
  take({ isBatch, texts, exchange, standsAlone }: GateFrame, cargo: Cargo): void {
    const { direction, conversation, holding } = this.#options;
    const atMs = holding.nowMs();
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    const blocks = !standsAlone && !holding.outOfOrder;
    const item: Item<Cargo> = { cargo, isBatch, texts, size, atMs, blocks, settled: [], asking: new Set() };
    let isQueued = false;
    for (const [index, text] of texts.entries()) {
      const settle = (settlement: Settlement): void => {
        item.settled[index] = settlement;
        item.asking.delete(settle);
        if (isQueued && item.asking.size === 0) this.#advance();
      };
      item.asking.add(settle);
      holding.desk.admit({ direction, text, atMs, conversation, exchange }, settle);
    }
    isQueued = !this.#goesAtOnce(item);
  }

  /** Takes something that nobody is asked about, but that must not overtake others. */
  follow(cargo: Cargo, size: number): void {
    const nothing = { isBatch: false, texts: [], settled: [], asking: new Set<never>() };
    this.#goesAtOnce({ ...nothing, cargo, size, atMs: this.#options.holding.nowMs(), blocks: true });
  }

  /** What is held goes no further: nobody is there any more who said it, or to whom it could be told. */
  withdraw(): void {
    const { desk } = this.#options.holding;
    for (const { asking } of [...this.#queue]) for (const settle of [...asking]) desk.withdraw(settle);
  }

  /** Calls back when nothing waits; at once where that is so already. */
  whenEmpty(callBack: () => void): void {
    if (this.#queue.length === 0) callBack();
    else this.#whenEmpty.push(callBack);
  }

  #isBeyond(times: number): boolean {
    return this.#queuedSize > MOST_QUEUED_SIZE * times || this.#queue.length > MOST_QUEUED * times;
  }

  #goesAtOnce(item: Item<Cargo>): boolean {
    if (item.asking.size === 0 && !this.#queue.some(({ blocks }) => blocks)) {
      this.#passOn(item);
      return true;
    }
    this.#queue.push(item);
    this.#queuedSize += item.size;
    this.#wasFull ||= this.isFull;
    return false;
  }

  /** One more is settled: all go that wait for nothing else. */
  #advance(): void {
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) this.#passOn(next);
    if (this.#wasFull && !this.isFull) {
      this.#wasFull = false;
      this.#options.onSpace();
    }
    if (this.#queue.length === 0) for (const callBack of this.#whenEmpty.splice(0)) callBack();
  }

  #takeNext(): Item<Cargo> | undefined {
    const index = this.#queue.findIndex(({ asking, blocks }) => asking.size === 0 || blocks);
    const next = this.#queue[index];
    if (next === undefined || next.asking.size > 0) return undefined;
    this.#queue.splice(index, 1);
    this.#queuedSize -= next.size;
    return next;
  }

  #passOn({ cargo, isBatch, texts, atMs, settled }: Item<Cargo>): void {
    const isJudged = settled.some(({ id }) => id !== undefined);
    const messages = isJudged ? texts.map((text, index) => ({ text, ...(settled[index] as Settlement) })) : [];
    this.#options.pass(cargo, isJudged ? { isBatch, messages, atMs } : undefined);
  }
}
