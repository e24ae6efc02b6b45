import type { Film } from './film.ts';

/** How much happened when, drawn above the list. */
export interface Minimap {
  readonly lanes: readonly {
    /** Entries in each of the equal parts of the time. */
    readonly counts: readonly number[];
    /** The parts in which something failed. */
    readonly errors: readonly number[];
  }[];
}

export function minimapOf(film: Film, parts: number): Minimap {
  const span = film.span();
  const widthMs = span === undefined ? 1 : Math.max(1, span.toMs - span.fromMs);
  const partOf = (atMs: number): number =>
    Math.min(parts - 1, Math.max(0, Math.floor(((atMs - (span?.fromMs ?? 0)) / widthMs) * parts)));
  return {
    lanes: film.lanes.map((lane) => {
      const counts = new Array<number>(parts).fill(0);
      const errors = new Set<number>();
      for (const entry of lane.entries) {
        const part = partOf(entry.atMs);
        counts[part] = (counts[part] ?? 0) + 1;
        const outcome = lane.log.outcomeOf(entry);
        if (outcome?.status === 'error' && entry.kind === 'message' && outcome.answer === entry.sequence)
          errors.add(part);
      }
      return { counts, errors: [...errors] };
    }),
  };
}
