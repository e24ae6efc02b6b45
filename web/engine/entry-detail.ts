import type { Outcome } from '../../src/analysis/session-log.ts';
import type { Entry } from '../../src/model/entry.ts';
import { type EntryKey, indexOf, keyOf } from './entry-key.ts';
import type { Film } from './film.ts';
import type { Lane } from './lane.ts';
import { type Row, rowAt } from './row-facts.ts';

/** What was said and done while a call ran, and for it. */
export interface Related {
  readonly row: Row;
  readonly why: 'progress' | 'log' | 'request' | 'input' | 'retry' | 'cancel' | 'stderr';
}

/** An entry with all that belongs to it. */
export interface EntryDetail {
  readonly key: EntryKey;
  readonly lane: number;
  readonly row: Row;
  readonly entry: Entry;
  /** How the call went that it belongs to. */
  readonly outcome: Outcome | undefined;
  /** The two messages of that call, this one included. */
  readonly request: { readonly key: EntryKey; readonly entry: Entry } | undefined;
  readonly answer: { readonly key: EntryKey; readonly entry: Entry } | undefined;
  readonly related: readonly Related[];
}

/** A server may talk a lot while a call runs. */
const MOST_RELATED = 500;

export function detailOf(film: Film, key: EntryKey): EntryDetail | undefined {
  const lane = film.lane(key);
  const entry = lane?.entries[indexOf(key)];
  const row = rowAt(film, key);
  if (lane === undefined || entry === undefined || row === undefined) return undefined;
  const outcome = lane.log.outcomeOf(entry);
  const at = (sequence: number | undefined): EntryDetail['request'] => {
    const place = sequence === undefined ? undefined : lane.log.placeOf(sequence);
    const found = place === undefined ? undefined : lane.entries[place];
    return place === undefined || found === undefined ? undefined : { key: keyOf(lane.index, place), entry: found };
  };
  return {
    key,
    lane: lane.index,
    row,
    entry,
    outcome,
    request: at(outcome?.request),
    answer: at(outcome?.answer),
    related: outcome === undefined ? [] : relatedTo(film, lane, outcome),
  };
}

function relatedTo(film: Film, lane: Lane, outcome: Outcome): Related[] {
  const places: [number | undefined, Related['why']][] = [
    ...outcome.progress.map((sequence) => [lane.log.placeOf(sequence), 'progress'] as const),
    ...outcome.logs.map((sequence) => [lane.log.placeOf(sequence), 'log'] as const),
    ...outcome.nested.map((sequence) => [lane.log.placeOf(sequence), 'request'] as const),
    ...outcome.rounds.flatMap(({ answer, retry }) => [
      [lane.log.placeOf(answer), 'input'] as const,
      [lane.log.placeOf(retry), 'retry'] as const,
    ]),
    ...stderrDuring(lane, outcome).map((place) => [place, 'stderr'] as const),
    ...(outcome.cancelledBy === undefined ? [] : [[lane.log.placeOf(outcome.cancelledBy), 'cancel'] as const]),
  ].slice(0, MOST_RELATED) as [number | undefined, Related['why']][];
  return places
    .sort(([a = 0], [b = 0]) => a - b)
    .flatMap(([place, why]) => {
      const row = place === undefined ? undefined : rowAt(film, keyOf(lane.index, place));
      return row === undefined ? [] : [{ row, why }];
    });
}

/** Places of what the server wrote on stderr between the request and its answer. */
function stderrDuring(lane: Lane, { request, answer }: Outcome): number[] {
  const from = lane.log.placeOf(request);
  const to = answer === undefined ? undefined : lane.log.placeOf(answer);
  if (from === undefined || to === undefined) return [];
  const places: number[] = [];
  for (let place = from + 1; place < to && places.length < MOST_RELATED; place++) {
    const entry = lane.entries[place];
    if (entry?.kind === 'event' && entry.event === 'stdio.stderr') places.push(place);
  }
  return places;
}
