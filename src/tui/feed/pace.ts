import { setTimeout as delay } from 'node:timers/promises';
import { restAfter } from '../rest-after.ts';

/** A busy session reports new lines at least this often. */
const CALM_MS = 250;

/** Throttles trace reading: long pauses while lines arrive in bulk, none once the session is calm. */
export class RefreshPace {
  readonly nowMs: () => number;
  #busyAtMs = Number.NEGATIVE_INFINITY;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** More lines arrived than were announced one by one. */
  isBusy(): void {
    this.#busyAtMs = this.nowMs();
  }

  /** No more lines will arrive. */
  isOver(): void {
    this.#busyAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Yields to other work after a step that began at this time. */
  async restSince(startedAtMs: number): Promise<void> {
    const nowMs = this.nowMs();
    if (Math.abs(nowMs - this.#busyAtMs) > CALM_MS) await breath();
    // The clock has millisecond resolution, so shorter work counts as 1 ms.
    else await delay(restAfter(Math.max(1, nowMs - startedAtMs)));
  }
}

/** Yields to pending work, such as a key press or a frame. */
export const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
