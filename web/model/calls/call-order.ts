import type { CallStatus } from '../../../src/analysis/calls/call.ts';
import { wordsOf } from '../../../src/present/row-words.ts';
import { type EntryKey, indexOf } from '../entry-key.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { callSize } from './call-facts.ts';

/** The columns by which calls can be sorted. */
export const CALL_SORTS = [
  'status',
  'name',
  'server',
  'start',
  'duration',
  'human',
  'sent',
  'received',
  'progress',
  'requests',
] as const;
export type CallSort = (typeof CALL_SORTS)[number];

/** Calls that need attention come first. */
const STATUS_ORDER: readonly CallStatus[] = ['error', 'pending', 'cancelled', 'late', 'stream', 'ok'];

type SortValue = number | string | undefined;

/** Sorts calls, which are given in timeline order. Calls without a value come last in both directions. */
export function inCallOrder(
  timeline: Timeline,
  calls: readonly EntryKey[],
  sort: CallSort,
  descending: boolean,
): readonly EntryKey[] {
  if (sort === 'start') return descending ? calls.toReversed() : calls;
  const valued = calls.map((key, place) => ({ key, place, value: sortValue(timeline, key, sort) }));
  const sign = descending ? -1 : 1;
  valued.sort((a, b) => {
    if (a.value === b.value) return a.place - b.place;
    if (a.value === undefined) return 1;
    if (b.value === undefined) return -1;
    return a.value < b.value ? -sign : sign;
  });
  return valued.map(({ key }) => key);
}

function sortValue(timeline: Timeline, key: EntryKey, sort: CallSort): SortValue {
  const lane = timeline.lane(key);
  // Most sorts need not read the calls.
  if (lane !== undefined && sort === 'server') return lane.index;
  const call = lane?.log.callAt(indexOf(key));
  if (lane !== undefined && sort === 'status') return STATUS_ORDER.indexOf(call?.status ?? 'pending');
  if (lane !== undefined && sort === 'duration') return lane.hasTimes ? call?.durationMs : undefined;
  const entry = lane?.entries.at(indexOf(key));
  if (lane === undefined || entry?.kind !== 'message') return undefined;
  const outcome = lane.log.outcomeOf(entry);
  switch (sort) {
    case 'start':
      return entry.atMs;
    case 'name':
      return wordsOf(entry).name;
    case 'human':
      return lane.hasTimes ? (outcome?.humanMs ?? 0) : undefined;
    case 'sent':
      return callSize(lane, entry, outcome).sentBytes;
    case 'received':
      return callSize(lane, entry, outcome).receivedBytes;
    case 'progress':
      return outcome?.progress.length ?? 0;
    case 'requests':
      return outcome?.nested.length ?? 0;
  }
}
