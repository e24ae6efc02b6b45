import type { Entry } from '../../../src/model/entry.ts';
import { type EntryKey, indexOf, keyOf, laneOf } from '../entry-key.ts';
import type { Lane } from './lane.ts';

/** A period of time, mostly one without entries. */
export interface TimelineGap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** An idle gap is folded if it lasts this long and is this fraction of the whole time. */
const MIN_GAP_MS = 2000;
const SMALLEST_PART = 0.05;

/** All shown entries in one order: by time across lanes, and as recorded within a lane. */
export class Timeline {
  readonly lanes: Lane[] = [];
  #order: EntryKey[] = [];
  #isMerged = true;
  /** Every idle gap that may be folded, and the position up to which gaps were searched. */
  #silences: TimelineGap[] = [];
  #looked = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  entry(key: EntryKey): Entry | undefined {
    return this.lane(key)?.entries.at(indexOf(key));
  }

  timeAt(key: EntryKey): number | undefined {
    return timeIn(this.lane(key), indexOf(key));
  }

  lane(key: EntryKey): Lane | undefined {
    return this.lanes[laneOf(key)];
  }

  get length(): number {
    return this.lanes.reduce((sum, { entries }) => sum + entries.length, 0);
  }

  /** The key at a position of the merged order. */
  at(position: number): EntryKey {
    return this.lanes.length === 1 ? position : (this.#order[position] ?? -1);
  }

  /** Called when a lane has grown. With several lanes, the order must be rebuilt. */
  grown(): void {
    this.#isMerged = false;
  }

  /** Merges the entries of several lanes. Returns whether positions may have changed. */
  merge(): boolean {
    if (this.#isMerged) return false;
    this.#isMerged = true;
    if (this.lanes.length <= 1) return false;
    this.#order = mergedOrder(this.lanes);
    this.#lookAgain();
    return true;
  }

  /** The time from the first to the last entry. */
  span(): TimelineGap | undefined {
    let fromMs = Number.POSITIVE_INFINITY;
    let toMs = Number.NEGATIVE_INFINITY;
    for (const { entries, log } of this.lanes) {
      if (entries.length === 0) continue;
      fromMs = Math.min(fromMs, log.facts.timeAt(0));
      toMs = Math.max(toMs, log.facts.timeAt(entries.length - 1));
    }
    return toMs < fromMs ? undefined : { fromMs, toMs };
  }

  /** The long idle gaps. */
  gaps(): readonly TimelineGap[] {
    const span = this.span();
    const { length } = this;
    if (length < this.#looked) this.#lookAgain();
    if (span === undefined || this.lanes.some(({ hasTimes }) => !hasTimes)) return [];
    for (; this.#looked < length; this.#looked++) {
      const atMs = this.timeAt(this.at(this.#looked)) ?? this.#lastMs;
      if (atMs - this.#lastMs >= MIN_GAP_MS && this.#lastMs > 0) {
        this.#silences.push({ fromMs: this.#lastMs, toMs: atMs });
      }
      if (atMs > this.#lastMs) this.#lastMs = atMs;
    }
    const least = (span.toMs - span.fromMs) * SMALLEST_PART;
    return this.#silences.filter(({ fromMs, toMs }) => toMs - fromMs >= least);
  }

  #lookAgain(): void {
    this.#silences = [];
    this.#looked = 0;
    this.#lastMs = Number.NEGATIVE_INFINITY;
  }
}

function timeIn(lane: Lane | undefined, index: number): number | undefined {
  return lane !== undefined && index >= 0 && index < lane.entries.length ? lane.log.facts.timeAt(index) : undefined;
}

/**
 * Always takes the lane whose next entry is earliest. Within a lane the recorded order stays, even if its clock jumps.
 */
function mergedOrder(lanes: readonly Lane[]): EntryKey[] {
  const next = lanes.map(() => 0);
  const clock = lanes.map((lane) => timeIn(lane, 0) ?? Number.POSITIVE_INFINITY);
  const order: EntryKey[] = [];
  for (;;) {
    let earliest = -1;
    for (let lane = 0; lane < lanes.length; lane++) {
      const at = clock[lane] ?? Number.POSITIVE_INFINITY;
      if (at !== Number.POSITIVE_INFINITY && (earliest < 0 || at < (clock[earliest] ?? 0))) earliest = lane;
    }
    if (earliest < 0) return order;
    const index = next[earliest] ?? 0;
    order.push(keyOf(earliest, index));
    next[earliest] = index + 1;
    const following = timeIn(lanes[earliest], index + 1);
    clock[earliest] = following === undefined ? Number.POSITIVE_INFINITY : Math.max(clock[earliest] ?? 0, following);
  }
}
