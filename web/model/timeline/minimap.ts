import type { Lane } from './lane.ts';
import type { Timeline } from './timeline.ts';

/** The kinds of entries in a lane, in drawing order. */
export const MAP_KINDS = ['calls', 'notifications', 'fromServer', 'beside', 'http'] as const;

export type MapKind = (typeof MAP_KINDS)[number];

/** The number of entries of one kind in each of the equal time slots. */
interface MapRow {
  readonly kind: MapKind;
  /** The total number, without responses. */
  readonly count: number;
  readonly counts: readonly number[];
  /** The responses to requests. */
  readonly answers: readonly number[];
}

export interface MapLane {
  /** The kinds that occur. */
  readonly rows: readonly MapRow[];
  /** The time slots with a failure. */
  readonly errors: readonly number[];
}

/** The activity over time, drawn above the list. */
export interface Minimap {
  readonly lanes: readonly MapLane[];
}

export function minimapOf(timeline: Timeline, parts: number): Minimap {
  const span = timeline.span();
  const widthMs = span === undefined ? 1 : Math.max(1, span.toMs - span.fromMs);
  const partOf = (atMs: number): number =>
    Math.min(parts - 1, Math.max(0, Math.floor(((atMs - (span?.fromMs ?? 0)) / widthMs) * parts)));
  return { lanes: timeline.lanes.map((lane) => mapLane(lane, parts, partOf)) };
}

function mapLane(lane: Lane, parts: number, partOf: (atMs: number) => number): MapLane {
  const tallies = new Map(MAP_KINDS.map((kind) => [kind, new RowTally(kind, parts)]));
  const errors = new Set<number>();
  for (let index = 0; index < lane.entries.length; index++) {
    const part = partOf(lane.log.facts.timeAt(index));
    const { kind, isAnswer } = natureOf(lane, index);
    tallies.get(kind)?.add(part, isAnswer);
    if (isAnswer && hasFailed(lane, index)) errors.add(part);
  }
  const rows = [...tallies.values()].filter(({ isEmpty }) => !isEmpty).map((tally) => tally.row());
  return { rows, errors: [...errors] };
}

class RowTally {
  isEmpty = true;
  readonly #kind: MapKind;
  readonly #counts: number[];
  readonly #answers: number[];
  #count = 0;

  constructor(kind: MapKind, parts: number) {
    this.#kind = kind;
    this.#counts = new Array<number>(parts).fill(0);
    this.#answers = new Array<number>(parts).fill(0);
  }

  add(part: number, isAnswer: boolean): void {
    const counts = isAnswer ? this.#answers : this.#counts;
    counts[part] = (counts[part] ?? 0) + 1;
    if (!isAnswer) this.#count++;
    this.isEmpty = false;
  }

  row(): MapRow {
    return { kind: this.#kind, count: this.#count, counts: this.#counts, answers: this.#answers };
  }
}

interface BinNature {
  readonly kind: MapKind;
  readonly isAnswer: boolean;
}

const NATURES = {
  call: { kind: 'calls', isAnswer: false },
  callAnswer: { kind: 'calls', isAnswer: true },
  serverRequest: { kind: 'fromServer', isAnswer: false },
  serverRequestAnswer: { kind: 'fromServer', isAnswer: true },
  notification: { kind: 'notifications', isAnswer: false },
  beside: { kind: 'beside', isAnswer: false },
  http: { kind: 'http', isAnswer: false },
} as const satisfies Record<string, BinNature>;

function natureOf({ log }: Lane, index: number): BinNature {
  const { facts } = log;
  const isFromServer = facts.isFromServerAt(index);
  switch (facts.natureAt(index)) {
    case 'request':
      return isFromServer ? NATURES.serverRequest : NATURES.call;
    case 'response':
      return isFromServer ? NATURES.callAnswer : NATURES.serverRequestAnswer;
    case 'notification':
      return NATURES.notification;
    case 'event':
      return facts.eventAt(index) === 'http' ? NATURES.http : NATURES.beside;
    case 'invalid':
    case 'other':
      return NATURES.beside;
  }
}

function hasFailed({ log }: Lane, index: number): boolean {
  return log.facts.statusAt(index) === 'error' && log.callAt(index)?.isAnswer === true;
}
