import type { Filter } from '../../analysis/filter/filter.ts';
import type { Entry } from '../../model/entry.ts';
import type { EntryFacts } from './entry-facts.ts';
import { RowSet } from './row-set.ts';
import type { LogGrowth, SessionLog } from './session-log.ts';

/** Whether an entry has a row if no filter is set. */
export function isShownUnasked(facts: EntryFacts, index: number): boolean {
  const nature = facts.natureAt(index);
  if (nature !== 'event') return nature !== 'other';
  const event = facts.eventAt(index);
  return event === 'stderr' || event === 'noise' || event === 'gap';
}

/** The number of entries to filter between checks of the clock. */
const BETWEEN_LOOKS = 256;

/** The entries that have a row, as indexes in the log. The filter runs in slices, so that it does not block the UI. */
export class ShownEntries {
  readonly #log: SessionLog;
  #filter: Filter | undefined;
  readonly #rows = new RowSet();
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
    return this.#rows.at(row);
  }

  /** The row of an entry; if it has no row, the row at which it would be inserted. */
  rowOf(index: number): { readonly row: number; readonly isShown: boolean } {
    return { row: this.#rows.before(index), isShown: this.#rows.has(index) };
  }

  /** Sets the filter and discards all rows; `work` fills them again. */
  setFilter(filter: Filter | undefined): void {
    this.#filter = filter;
    this.#rows.clear();
    this.#next = 0;
  }

  /** Filters entries until all are done or `hasTime` returns false; returns whether all are done. */
  work(hasTime: () => boolean): boolean {
    const { entries } = this.#log;
    while (this.#next < entries.length) {
      const stop = Math.min(entries.length, this.#next + BETWEEN_LOOKS);
      for (; this.#next < stop; this.#next++) if (this.#shows(this.#next)) this.#rows.add(this.#next);
      if (!hasTime()) break;
    }
    return this.isComplete;
  }

  /** Filters the entries again whose calls or exchanges changed. */
  lookAgain({ changed }: LogGrowth): void {
    if (!this.#filter?.needsCalls && !this.#filter?.needsExchanges) return;
    for (const index of changed) {
      if (index >= this.#next) continue;
      if (this.#shows(index)) this.#rows.add(index);
      else this.#rows.delete(index);
    }
  }

  #shows(index: number): boolean {
    if (this.#filter === undefined) return isShownUnasked(this.#log.facts, index);
    const entry = this.#log.entries.at(index);
    return entry !== undefined && this.shows(entry);
  }

  /** Whether an entry that is not in the log, or is, passes the filter. */
  shows(entry: Entry): boolean {
    const filter = this.#filter;
    if (filter === undefined) return true;
    if (entry.kind !== 'message' && !filter.asksForEvents) return false;
    return filter.matches(this.#log.subjectOf(entry, filter));
  }
}
