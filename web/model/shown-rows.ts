import type { Filter } from '../../src/analysis/filter/filter.ts';
import { isShownUnasked } from '../../src/present/session-log/shown-entries.ts';
import { type EntryKey, indexOf, keyOf } from './entry-key.ts';
import type { Lane } from './timeline/lane.ts';
import type { Timeline, TimelineGap } from './timeline/timeline.ts';

/** The filters for the rows. */
export interface RowSelection {
  readonly filter: Filter | undefined;
  /** Only entries in this time range. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** Whether responses are shown in the rows of their requests. */
  readonly foldsAnswers: boolean;
}

/** The number of entries to evaluate between looks at the clock. */
const BETWEEN_LOOKS = 256;

/**
 * The rows of the timeline: the keys of the shown entries, in order. An idle gap before an entry is a row too. Its key
 * is negative: `-1 - key` of the entry after it. Entries are evaluated in slices, so that the page stays responsive.
 */
export class ShownRows {
  readonly #timeline: Timeline;
  #choice: RowSelection = { filter: undefined, range: undefined, foldsAnswers: true };
  #rows: number[] = [];
  /**
   * The previous rows, until as many are evaluated again: rows must not disappear and reappear while the user reads.
   */
  #kept: { readonly rows: readonly number[]; readonly shown: number } | undefined;
  #next = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #shown = 0;
  #gaps: readonly TimelineGap[] = [];
  /** The idle gaps that have rows. */
  #silences: TimelineGap[] = [];

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  get choice(): RowSelection {
    return this.#choice;
  }

  /** The number of rows, including idle gaps. */
  get length(): number {
    return this.#known.length;
  }

  /** The number of entries that have a row. */
  get count(): number {
    return this.#kept?.shown ?? this.#shown;
  }

  /** Whether an idle gap with a row is now too short for one. The longer the timeline, the longer a gap must be. */
  get hasOldSilences(): boolean {
    if (this.#silences.length === 0) return false;
    const gaps = this.#timeline.gaps();
    return !this.#silences.every((one) => gaps.some(({ fromMs, toMs }) => fromMs === one.fromMs && toMs === one.toMs));
  }

  get isComplete(): boolean {
    return this.#next >= this.#timeline.length;
  }

  slice(from: number, to: number): readonly number[] {
    return this.#known.slice(from, to);
  }

  /** The keys of all entries that have a row. */
  keys(): readonly EntryKey[] {
    return this.#known.filter((row) => row >= 0);
  }

  /** The row of an entry, or of the request that it is folded into. */
  rowOf(key: EntryKey): number | undefined {
    const found = this.#known.indexOf(key);
    if (found >= 0) return found;
    const lane = this.#timeline.lane(key);
    const entry = this.#timeline.entry(key);
    const partner = entry && lane?.log.partnerOf(entry);
    if (lane === undefined || partner === undefined) return undefined;
    const row = this.#known.indexOf(keyOf(lane.index, partner));
    return row < 0 ? undefined : row;
  }

  /** The entry this many rows further, skipping idle gaps; infinity leads to the last one. */
  step(from: EntryKey | undefined, rows: number): EntryKey | undefined {
    const start = from === undefined ? undefined : this.rowOf(from);
    const last = this.#known.length - 1;
    let row = start === undefined ? (rows < 0 ? last : 0) : Math.min(last, Math.max(0, start + rows));
    const key = (): number => this.#known[row] ?? -1;
    while (key() < 0 && row > 0 && rows < 0) row--;
    while (key() < 0 && row < last) row++;
    return key() < 0 ? undefined : key();
  }

  choose(choice: RowSelection): void {
    this.#choice = choice;
    this.clear();
  }

  clear(): void {
    this.restart();
    this.#kept = undefined;
  }

  /** Evaluates all entries again. The previous rows stay until that is done. */
  restart(): void {
    this.#kept ??= { rows: this.#rows, shown: this.#shown };
    this.#rows = [];
    this.#silences = [];
    this.#next = 0;
    this.#shown = 0;
    this.#lastMs = Number.NEGATIVE_INFINITY;
  }

  /** Evaluates entries until none are left or time is up. Returns whether all are evaluated. */
  work(hasTime: () => boolean): boolean {
    const end = this.#timeline.length;
    if (this.#next < end) this.#gaps = this.#timeline.gaps();
    while (this.#next < end) {
      const stop = Math.min(end, this.#next + BETWEEN_LOOKS);
      for (; this.#next < stop; this.#next++) this.#judge(this.#timeline.at(this.#next));
      if (!hasTime()) break;
    }
    if (this.isComplete || this.#rows.length >= (this.#kept?.rows.length ?? 0)) this.#kept = undefined;
    return this.isComplete;
  }

  get #known(): readonly number[] {
    return this.#kept?.rows ?? this.#rows;
  }

  #judge(key: EntryKey): void {
    const lane = this.#timeline.lane(key);
    const index = indexOf(key);
    if (lane === undefined || !this.#shows(lane, index)) return;
    const atMs = lane.log.facts.timeAt(index);
    const gap = this.#gaps.find(({ fromMs, toMs }) => fromMs >= this.#lastMs && toMs <= atMs);
    if (gap !== undefined && this.#shown > 0) {
      this.#rows.push(-1 - key);
      this.#silences.push(gap);
    }
    this.#rows.push(key);
    this.#shown++;
    this.#lastMs = atMs;
  }

  #shows({ log, entries }: Lane, index: number): boolean {
    const { range, filter, foldsAnswers } = this.#choice;
    const call = log.callAt(index);
    // A response or a retry is shown in the row of its call's first request.
    if (foldsAnswers && call !== undefined && !call.isRequest) return false;
    const atMs = log.facts.timeAt(index);
    if (range !== undefined && (atMs > range.toMs || atMs + (call?.spanMs ?? 0) < range.fromMs)) return false;
    const nature = log.facts.natureAt(index);
    if (filter === undefined) return isShownUnasked(log.facts, index) || nature === 'other';
    if (nature === 'event' && !filter.asksForEvents) return false;
    const entry = entries.at(index);
    if (entry === undefined) return false;
    if (filter.matches(log.subjectOf(entry, filter))) return true;
    const answer = foldsAnswers ? log.messageAt(log.outcomeOf(entry)?.answer) : undefined;
    return answer !== undefined && filter.matches(log.subjectOf(answer, filter));
  }
}
