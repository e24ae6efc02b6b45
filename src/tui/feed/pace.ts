import { setTimeout as delay } from 'node:timers/promises';
import { restAfter } from '../rest-after.ts';

/** A session that is busy says so more often than this. */
const CALM_MS = 250;

/** How fast a trace is read: with long rests while more comes than is told line by line, without any when that is over. */
export class RefreshPace {
  readonly nowMs: () => number;
  #busyAtMs = Number.NEGATIVE_INFINITY;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** More has come than was told line by line. */
  isBusy(): void {
    this.#busyAtMs = this.nowMs();
  }

  /** Nothing comes any more. */
  isOver(): void {
    this.#busyAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Lets everybody else have their turn after work that began at this time. */
  async restSince(startedAtMs: number): Promise<void> {
    const nowMs = this.nowMs();
    if (Math.abs(nowMs - this.#busyAtMs) > CALM_MS) await breath();
    // The clock has whole milliseconds: work that took less took one.
    else await delay(restAfter(Math.max(1, nowMs - startedAtMs)));
  }
}

/** Lets whatever waits have its turn: a key, a frame. */
export const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
