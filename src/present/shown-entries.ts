import type { Filter } from '../analysis/filter/filter.ts';
import type { Entry } from '../model/entry.ts';
import type { LogGrowth, SessionLog } from './session-log.ts';

/** What happened beside the messages and is worth a row without being asked for. */
const SHOWN_EVENTS: ReadonlySet<string> = new Set(['stdio.stderr', 'stdio.noise', 'mcpreel.gap']);

/** Whether an entry has a row where nothing in particular is asked for. */
export function isShownUnasked(entry: Entry): boolean {
  return entry.kind === 'message' || (entry.kind === 'event' && SHOWN_EVENTS.has(entry.event));
}

/** So many entries are judged before the clock is looked at. */
const BETWEEN_LOOKS = 256;

/** The entries that have a row, by where they are in the log. A filter judges them piece by piece, so that nobody waits. */
export class ShownEntries {
  readonly #log: SessionLog;
  #filter: Filter | undefined;
  #rows: number[] = [];
  /** Entries from here on have not been judged yet. */
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

  /** Where in the log the entry of a row is. */
  at(row: number): number | undefined {
    return this.#rows[row];
  }

  /** The row of an entry; if it has none, the one that the entries before it lead to. */
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

  /** Judges everything anew, as far as `work` is called for it. */
  setFilter(filter: Filter | undefined): void {
    this.#filter = filter;
    this.#rows = [];
    this.#next = 0;
  }

  /** Judges entries until there are no more or somebody else has to be let in; says whether all are judged. */
  work(hasTime: () => boolean): boolean {
    const { entries } = this.#log;
    while (this.#next < entries.length) {
      const stop = Math.min(entries.length, this.#next + BETWEEN_LOOKS);
      for (; this.#next < stop; this.#next++) if (this.#shows(this.#next)) this.#rows.push(this.#next);
      if (!hasTime()) break;
    }
    return this.isComplete;
  }

  /** Looks again at those that are known in another light now. */
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

  /** Whether an entry would have a row. */
  shows(entry: Entry): boolean {
    const filter = this.#filter;
    if (filter === undefined) return isShownUnasked(entry);
    if (entry.kind !== 'message' && !filter.asksForEvents) return false;
    return filter.matches(this.#log.subjectOf(entry, filter));
  }
}
