/**
 * Work runs after this much time without new work, and after MAX_WAITS such periods at the latest. Traffic waits while
 * the work runs, so larger batches delay fewer messages. Checking for quiet has a cost, too.
 */
const QUIET_MS = 3;
const MAX_WAITS = 5;

/** How many bytes may wait behind a body that is being decoded. */
const MAX_BYTES = 256 << 20;

/** Work that is not done when it returns. All later work waits for it. */
export interface UnfinishedWork {
  /** Calls back once, never before it returns. */
  readonly onDone: (done: () => void) => void;
  /** Ends the work at once. `onDone` is not called any more. */
  readonly giveUp: (reason: string) => void;
}

/** Work that may be done only later; `undefined` if it is done. */
type QueuedWork = () => UnfinishedWork | undefined;

interface WaitingWork {
  readonly work: QueuedWork;
  readonly bytes: number;
}

/** Work that has run is removed from the list in groups of this size, because each removal moves the rest. */
const MAX_DONE = 1000;

/**
 * Defers recording work until incoming data was forwarded, so that forwarding comes first. Work runs in batches, which
 * is cheaper, and in the order in which it was added, even if some of it takes time.
 */
export class IdleQueue {
  readonly #onDone: () => void;
  readonly #onBroken: (error: Error) => void;
  readonly #maxBytes: number;
  #waiting: WaitingWork[] = [];
  /** The first of `#waiting` that has not run. */
  #next = 0;
  #bytes = 0;
  #unfinished: UnfinishedWork | undefined;
  /** Why unfinished work is given up, once there is no time left for it. */
  #hurry: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waits = 0;
  #isQuiet = true;

  /**
   * Calls `onDone` whenever no work can run, and `onBroken` when work throws. The remaining work still runs.
   *
   * @param maxBytes How much may wait for unfinished work before that is given up.
   */
  constructor(onDone: () => void, onBroken: (error: Error) => void, maxBytes: number = MAX_BYTES) {
    this.#onDone = onDone;
    this.#onBroken = onBroken;
    this.#maxBytes = maxBytes;
  }

  add(work: () => void): void {
    this.addLong(() => {
      work();
      return undefined;
    }, 0);
  }

  /**
   * Adds work that may be unfinished when it returns.
   *
   * @param bytes The size of what it keeps in memory.
   */
  addLong(work: QueuedWork, bytes: number): void {
    this.#isQuiet = false;
    this.#waiting.push({ work, bytes });
    this.#bytes += bytes;
    if (this.#unfinished === undefined) this.#timer ??= setTimeout(this.#waitOrFinish, QUIET_MS);
    else if (this.#bytes > this.#maxBytes) this.#giveUp('too much other traffic arrived while it was being decoded');
  }

  /** Runs all queued work at once, up to work that cannot be finished at once. */
  finish(): void {
    if (this.#unfinished === undefined) this.#run();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waits = 0;
    this.#onDone();
  }

  /** Runs all queued work and then this: at once, unless earlier work takes time. */
  afterAll(then: () => void): void {
    this.finish();
    if (this.#unfinished === undefined) then();
    else this.add(then);
  }

  /** Runs everything at once from now on. Work that takes time is given up. */
  hurry(reason: string): void {
    this.#hurry = reason;
    this.#giveUp(reason);
    this.finish();
  }

  #run(): void {
    // Work may add more work.
    while (this.#unfinished === undefined && this.#next < this.#waiting.length) {
      const { work, bytes } = this.#waiting[this.#next++] as WaitingWork;
      this.#bytes -= bytes;
      const unfinished = this.#runOne(work);
      if (unfinished === undefined) continue;
      if (this.#hurry === undefined) this.#waitFor(unfinished);
      else unfinished.giveUp(this.#hurry);
    }
    if (this.#next < this.#waiting.length && this.#next < MAX_DONE) return;
    this.#waiting.splice(0, this.#next);
    this.#next = 0;
  }

  #runOne(work: QueuedWork): UnfinishedWork | undefined {
    try {
      return work() ?? undefined;
    } catch (error) {
      this.#onBroken(error as Error);
      return undefined;
    }
  }

  #waitFor(unfinished: UnfinishedWork): void {
    this.#unfinished = unfinished;
    unfinished.onDone(() => {
      if (this.#unfinished !== unfinished) return;
      this.#unfinished = undefined;
      this.finish();
    });
  }

  #giveUp(reason: string): void {
    const unfinished = this.#unfinished;
    if (unfinished === undefined) return;
    this.#unfinished = undefined;
    unfinished.giveUp(reason);
    // Not at once, because traffic is being forwarded.
    this.#timer ??= setTimeout(this.#waitOrFinish, QUIET_MS);
  }

  readonly #waitOrFinish = (): void => {
    this.#waits++;
    if (this.#isQuiet || this.#waits >= MAX_WAITS) {
      this.finish();
      return;
    }
    this.#isQuiet = true;
    this.#timer?.refresh();
  };
}
