import type { Film } from './film.ts';

/** How much happened when, drawn above the list. */
export interface Minimap {
  readonly lanes: readonly {
    /** In each of the equal parts of the time: requests, and everything else. */
    readonly calls: readonly number[];
    readonly others: readonly number[];
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
      const calls = new Array<number>(parts).fill(0);
      const others = new Array<number>(parts).fill(0);
      const errors = new Set<number>();
      for (const entry of lane.entries) {
        const part = partOf(entry.atMs);
        const outcome = lane.log.outcomeOf(entry);
        const isRequest = entry.kind === 'message' && outcome?.request === entry.sequence;
        const counts = isRequest ? calls : others;
        counts[part] = (counts[part] ?? 0) + 1;
        if (outcome?.status === 'error' && entry.kind === 'message' && outcome.answer === entry.sequence)
          errors.add(part);
      }
      return { calls, others, errors: [...errors] };
    }),
  };
}
