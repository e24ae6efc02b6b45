import { ObjectView } from '../../src/json/object-view.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { RowOutcome } from '../../src/present/session-log/row-outcome.ts';
import { textHead } from '../../src/present/text-head.ts';
import { keyOf } from './entry-key.ts';
import { type RowFacts, rowAt } from './row-facts.ts';
import type { Lane } from './timeline/lane.ts';
import type { Timeline } from './timeline/timeline.ts';

/** Entries that belong to a call and occurred while it ran. */
export interface RelatedEntries {
  readonly row: RowFacts;
  readonly why: 'progress' | 'log' | 'request' | 'input' | 'retry' | 'cancel' | 'stderr';
  /** A short summary of the entry. */
  readonly words: string;
}

/** A server may send many messages while a call runs. */
const MAX_RELATED = 500;
const MAX_WORDS = 200;

type RelatedPlace = readonly [place: number, why: RelatedEntries['why']];

/** The parts of a call that identify its related messages. */
export type CallParts = Pick<
  RowOutcome,
  'request' | 'answer' | 'rounds' | 'progress' | 'logs' | 'nested' | 'cancelledBy' | 'status'
>;

/** Everything that belongs to a call except its request and response, in recorded order. */
export function relatedTo(timeline: Timeline, lane: Lane, outcome: CallParts): RelatedEntries[] {
  const placed = (sequences: readonly number[], why: RelatedEntries['why']): RelatedPlace[] =>
    sequences.flatMap((sequence) => {
      const place = lane.log.placeOf(sequence);
      return place === undefined ? [] : [[place, why] as const];
    });
  const places = [
    ...placed(outcome.nested, 'request'),
    ...placed(
      outcome.rounds.map(({ answer }) => answer),
      'input',
    ),
    ...placed(
      outcome.rounds.map(({ retry }) => retry),
      'retry',
    ),
    ...placed(outcome.cancelledBy === undefined ? [] : [outcome.cancelledBy], 'cancel'),
    ...placed(outcome.progress, 'progress'),
    ...placed(outcome.logs, 'log'),
    ...stderrDuring(lane, outcome).map((place) => [place, 'stderr'] as const),
  ].slice(0, MAX_RELATED);
  return places
    .sort(([a], [b]) => a - b)
    .flatMap(([place, why]) => {
      const row = rowAt(timeline, keyOf(lane.index, place));
      const entry = lane.entries.at(place);
      if (row === undefined || entry === undefined) return [];
      return [{ row, why, words: textHead(wordsOf(entry, why, row), MAX_WORDS) }];
    });
}

/** The indexes of stderr lines between the request and its response, or since the request if it has no response. */
function stderrDuring(lane: Lane, { request, answer, cancelledBy, status }: CallParts): number[] {
  const from = lane.log.placeOf(request);
  const last = answer ?? cancelledBy;
  const to = last === undefined ? (status === 'pending' ? lane.entries.length : undefined) : lane.log.placeOf(last);
  if (from === undefined || to === undefined) return [];
  const places: number[] = [];
  for (let place = from + 1; place < to && places.length < MAX_RELATED; place++) {
    const { facts } = lane.log;
    if (facts.natureAt(place) === 'event' && facts.eventAt(place) === 'stderr') places.push(place);
  }
  return places;
}

function wordsOf(entry: Entry, why: RelatedEntries['why'], { brief }: RowFacts): string {
  const message = entry.kind === 'message' ? ObjectView.of(entry.text) : undefined;
  const params = message?.object('params');
  switch (why) {
    case 'progress': {
      const total = params?.textOf('total');
      const done = `${params?.textOf('progress') ?? '?'}${total === undefined ? '' : `/${total}`}`;
      return `${done} ${params?.string('message') ?? ''}`.trim();
    }
    case 'log':
      return `${params?.string('level') ?? ''} ${params?.string('data') ?? params?.textOf('data') ?? ''}`.trim();
    case 'input':
      return requested(message?.object('result')?.object('inputRequests'));
    case 'retry':
      return params?.textOf('inputResponses') ?? '';
    case 'cancel':
      return params?.string('reason') ?? '';
    default:
      return brief;
  }
}

/** The input requests of an input_required result. */
function requested(requests: ObjectView | undefined): string {
  const sent = requests?.members.map(({ key }) => {
    const request = requests.object(key);
    return request?.object('params')?.string('message') ?? request?.string('method') ?? key;
  });
  return sent?.join(' · ') ?? '';
}
