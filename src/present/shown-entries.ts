import type { Filter } from '../analysis/filter/filter.ts';
import type { Entry } from '../model/entry.ts';
import type { LogGrowth, SessionLog } from './session-log.ts';

/** Events that have a row by default. */
const SHOWN_EVENTS: ReadonlySet<string> = new Set(['stdio.stderr', 'stdio.noise', 'mcpreel.gap']);

/** Whether an entry has a row if no filter is set. */
export function isShownUnasked(entry: Entry): boolean {
  return entry.kind === 'message' || (entry.kind === 'event' && SHOWN_EVENTS.has(entry.event));
}

/** The number of entries to filter between checks of the clock. */
const BETWEEN_LOOKS = 256;

/** The entries that have a row, as indexes in the log. The filter runs in slices, so that it does not block the UI. */
export class ShownEntries {
  readonly #log: SessionLog;
  #filter: Filter | undefined;
  #rows: number[] = [];
  /** Entries from this index on have not been filtered yet. */
  #next = 0;

  constructor(log: SessionLog) {
    this.#log = log;
  }

  get filter(): Filter | undefined {
    return this.#filter;
  }

  get length(): number {
    return this.#rows.length;
  }

  get isComplete(): boolean {
    return this.#next >= this.#log.entries.length;
  }

  /** The log index of a row's entry. */
  at(row: number): number | undefined {
    return this.#rows[row];
  }

  /** The row of an entry; if it has no row, the row at which it would be inserted. */
  rowOf(index: number): { readonly row: number; readonly isShown: boolean } {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return { row: low, isShown: this.#rows[low] === index };
  }

  /** Sets the filter and discards all rows; `work` fills them again. */
  setFilter(filter: Filter | undefined): void {
    this.#filter = filter;
    this.#rows = [];
    this.#next = 0;
  }

  /** Filters entries until all are done or `hasTime` returns false; returns whether all are done. */
  work(hasTime: () => boolean): boolean {
    const { entries } = this.#log;
    while (this.#next < entries.length) {
      const stop = Math.min(entries.length, this.#next + BETWEEN_LOOKS);
      for (; this.#next < stop; this.#next++) if (this.#shows(this.#next)) this.#rows.push(this.#next);
      if (!hasTime()) break;
    }
    return this.isComplete;
  }

  /** Filters the entries again whose calls or exchanges changed. */
  lookAgain({ changed }: LogGrowth): void {
    if (!this.#filter?.needsCalls && !this.#filter?.needsExchanges) return;
    for (const index of changed) {
      if (index >= this.#next) continue;
      const { row, isShown } = this.rowOf(index);
      const shows = this.#shows(index);
      if (shows && !isShown) this.#rows.splice(row, 0, index);
      else if (!shows && isShown) this.#rows.splice(row, 1);
    }
  }

  #shows(index: number): boolean {
    const entry = this.#log.entries[index];
    return entry !== undefined && this.shows(entry);
  }

  /** Whether an entry passes the filter. */
  shows(entry: Entry): boolean {
    const filter = this.#filter;
    if (filter === undefined) return isShownUnasked(entry);
    if (entry.kind !== 'message' && !filter.asksForEvents) return false;
    return filter.matches(this.#log.subjectOf(entry, filter));
  }
}
