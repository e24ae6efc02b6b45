import type { Filter } from '../../src/analysis/filter/filter.ts';
import type { Entry, MessageEntry } from '../../src/model/entry.ts';
import type { RowOutcome } from '../../src/present/session-log.ts';
import { isShownUnasked } from '../../src/present/shown-entries.ts';
import { type EntryKey, indexOf, keyOf } from './entry-key.ts';
import type { Lane } from './timeline/lane.ts';
import type { Timeline, TimelineGap } from './timeline/timeline.ts';

/** What narrows down the rows. */
export interface RowSelection {
  readonly filter: Filter | undefined;
  /** Only what happened in this time. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** Whether answers have no rows of their own, but stand with their requests. */
  readonly foldsAnswers: boolean;
}

/** So many entries are judged before the clock is looked at. */
const BETWEEN_LOOKS = 256;

/**
 * The rows of the timeline: the keys of what is shown, in order. A silence before an entry is a row too: its key is
 * negative, `-1 - key` of the entry after it. Entries are judged piece by piece, so that nobody waits.
 */
export class ShownRows {
  readonly #timeline: Timeline;
  #choice: RowSelection = { filter: undefined, range: undefined, foldsAnswers: true };
  #rows: number[] = [];
  /** What was shown before, until as much of it is judged again: rows must not go and come back while somebody reads. */
  #kept: { readonly rows: readonly number[]; readonly shown: number } | undefined;
  #next = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #shown = 0;
  #gaps: readonly TimelineGap[] = [];
  /** The silences that have rows. */
  #silences: TimelineGap[] = [];

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  get choice(): RowSelection {
    return this.#choice;
  }

  /** Rows, silences included. */
  get length(): number {
    return this.#known.length;
  }

  /** Entries that have a row. */
  get count(): number {
    return this.#kept?.shown ?? this.#shown;
  }

  /** Whether a silence has a row that is too short for one by now: the longer a film, the longer they have to be. */
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

  /** Keys of all entries that have a row. */
  keys(): readonly EntryKey[] {
    return this.#known.filter((row) => row >= 0);
  }

  /** The row of an entry, or of the one that it is folded into. */
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

  /** The entry so many rows further, silences left out; infinitely many lead to the last one. */
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

  /** Forgets all rows. */
  clear(): void {
    this.restart();
    this.#kept = undefined;
  }

  /** Judges everything again. What was shown stays until that is done. */
  restart(): void {
    this.#kept ??= { rows: this.#rows, shown: this.#shown };
    this.#rows = [];
    this.#silences = [];
    this.#next = 0;
    this.#shown = 0;
    this.#lastMs = Number.NEGATIVE_INFINITY;
  }

  /** Judges entries until there are no more or time is up; says whether all are judged. */
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
    const entry = lane?.entries[indexOf(key)];
    if (lane === undefined || entry === undefined || !this.#shows(entry, lane)) return;
    const { atMs } = entry;
    const gap = this.#gaps.find(({ fromMs, toMs }) => fromMs >= this.#lastMs && toMs <= atMs);
    if (gap !== undefined && this.#shown > 0) {
      this.#rows.push(-1 - key);
      this.#silences.push(gap);
    }
    this.#rows.push(key);
    this.#shown++;
    this.#lastMs = atMs;
  }

  #shows(entry: Entry, lane: Lane): boolean {
    const { range, filter, foldsAnswers } = this.#choice;
    const outcome = lane.log.outcomeOf(entry);
    if (foldsAnswers && isFolded(entry, outcome)) return false;
    if (range !== undefined && !happensIn(range, entry, outcome)) return false;
    if (filter === undefined) return isShownUnasked(entry) || entry.kind === 'other';
    if (entry.kind === 'event' && !filter.asksForEvents) return false;
    if (filter.matches(lane.log.subjectOf(entry, filter))) return true;
    const answer = foldsAnswers ? answerIn(lane, entry, outcome) : undefined;
    return answer !== undefined && filter.matches(lane.log.subjectOf(answer, filter));
  }
}

/** Whether an entry is an answer or a retry that stands with the request that began its call. */
function isFolded(entry: Entry, outcome: RowOutcome | undefined): boolean {
  return entry.kind === 'message' && outcome !== undefined && outcome.request !== entry.sequence;
}

function answerIn(lane: Lane, entry: Entry, outcome: RowOutcome | undefined): MessageEntry | undefined {
  if (entry.kind !== 'message' || outcome?.answer === undefined) return undefined;
  const answer = lane.entries[lane.log.placeOf(outcome.answer) ?? -1];
  return answer?.kind === 'message' ? answer : undefined;
}

function happensIn(
  { fromMs, toMs }: NonNullable<RowSelection['range']>,
  { atMs }: Entry,
  outcome?: RowOutcome,
): boolean {
  return atMs <= toMs && atMs + (outcome?.durationMs ?? 0) >= fromMs;
}
