import { type CallFigures, CallTally } from '../../../src/analysis/stats/tally.ts';
import { wordsOf } from '../../../src/present/row-words.ts';
import { type EntryKey, indexOf, laneOf } from '../entry-key.ts';
import type { WorkPace } from '../pace.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { type CallFacts, callAt, callOf, callSize } from './call-facts.ts';
import { type CallSort, inCallOrder } from './call-order.ts';

export const CALL_GROUPINGS = ['none', 'tool', 'server'] as const;
export type CallGrouping = (typeof CALL_GROUPINGS)[number];

/** The requested sort order and grouping of the calls. */
export interface RequestedList {
  readonly sort: CallSort;
  readonly descending: boolean;
  readonly group: CallGrouping;
  /** The collapsed groups: only their heading is listed. */
  readonly closed: readonly string[];
}

/** The heading of a group, with totals of its calls. */
export interface CallGroup {
  readonly kind: 'group';
  readonly id: string;
  readonly lane: number;
  readonly title: string;
  readonly isClosed: boolean;
  readonly figures: CallFigures;
}

export type CallListRow = CallFacts | CallGroup;

/** The size of the list and its totals, which the page knows without fetching rows. */
export interface CallListFacts {
  /** Includes headings. */
  readonly rows: number;
  readonly calls: number;
  readonly errors: number;
  readonly groups: readonly string[];
}

const BETWEEN_LOOKS = 256;

/** The shown calls, sorted and grouped. A row is the key of a call or, for a heading, `-1 -` its group. */
export class CallList {
  readonly #timeline: Timeline;
  #rows: readonly number[] = [];
  #groups: readonly CallGroup[] = [];

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  rows(from: number, to: number): (CallListRow | undefined)[] {
    return this.#rows.slice(from, to).map((row) => (row < 0 ? this.#groups[-1 - row] : callAt(this.#timeline, row)));
  }

  /** The row of an entry's call. */
  rowOf(key: EntryKey): number | undefined {
    const call = callOf(this.#timeline, key);
    const row = call === undefined ? -1 : this.#rows.indexOf(call);
    return row < 0 ? undefined : row;
  }

  /** The call this many rows further, skipping headings. */
  step(from: EntryKey | undefined, rows: number): EntryKey | undefined {
    const calls = this.#rows.filter((row) => row >= 0);
    const call = from === undefined ? undefined : callOf(this.#timeline, from);
    const at = call === undefined ? -1 : calls.indexOf(call);
    if (at < 0) return rows < 0 ? calls.at(-1) : calls[0];
    return calls[Math.min(calls.length - 1, Math.max(0, at + rows))];
  }

  /** Builds the list from the shown entries. */
  async make(shown: readonly EntryKey[], requested: RequestedList, pace: WorkPace): Promise<CallListFacts> {
    const calls = await callsAmong(this.#timeline, shown, pace);
    const sorted = inCallOrder(this.#timeline, calls, requested.sort, requested.descending);
    const { rows, groups } = await grouped(this.#timeline, sorted, requested, pace);
    this.#rows = rows;
    this.#groups = groups;
    let errors = 0;
    for (const key of calls) if (statusOf(this.#timeline, key) === 'error') errors++;
    return { rows: rows.length, calls: calls.length, errors, groups: groups.map(({ id }) => id) };
  }
}

/** The calls that these entries belong to, each once. */
export async function callsAmong(timeline: Timeline, shown: readonly EntryKey[], pace: WorkPace): Promise<EntryKey[]> {
  const calls = new Set<EntryKey>();
  for (let at = 0; at < shown.length; at++) {
    const call = callOf(timeline, shown[at] ?? -1);
    if (call !== undefined) calls.add(call);
    if (at % BETWEEN_LOOKS === 0 && pace.isOver) await pace.rest();
  }
  return [...calls];
}

function statusOf(timeline: Timeline, key: EntryKey): string | undefined {
  return timeline.lane(key)?.log.facts.statusAt(indexOf(key));
}

async function grouped(
  timeline: Timeline,
  calls: readonly EntryKey[],
  { group, closed }: RequestedList,
  pace: WorkPace,
): Promise<{ readonly rows: readonly number[]; readonly groups: readonly CallGroup[] }> {
  if (group === 'none') return { rows: calls, groups: [] };
  const members = new Map<string, EntryKey[]>();
  for (const [place, key] of calls.entries()) {
    const id = groupId(timeline, key, group);
    const others = members.get(id);
    if (others === undefined) members.set(id, [key]);
    else others.push(key);
    if (place % BETWEEN_LOOKS === 0 && pace.isOver) await pace.rest();
  }
  const rows: number[] = [];
  const groups: CallGroup[] = [];
  for (const [id, keys] of members) {
    const isClosed = closed.includes(id);
    rows.push(-1 - groups.length);
    groups.push(await groupOf(timeline, id, keys, { group, isClosed, pace }));
    if (!isClosed) for (const key of keys) rows.push(key);
  }
  return { rows, groups };
}

function groupId(timeline: Timeline, key: EntryKey, group: CallGrouping): string {
  const entry = timeline.entry(key);
  return group === 'server' || entry === undefined ? String(laneOf(key)) : `${laneOf(key)}/${wordsOf(entry).name}`;
}

interface CallGroups {
  readonly group: CallGrouping;
  readonly isClosed: boolean;
  readonly pace: WorkPace;
}

async function groupOf(
  timeline: Timeline,
  id: string,
  keys: readonly EntryKey[],
  { group, isClosed, pace }: CallGroups,
): Promise<CallGroup> {
  const tally = new CallTally();
  const lane = laneOf(keys[0] ?? 0);
  for (const [place, key] of keys.entries()) {
    if (place % BETWEEN_LOOKS === 0 && pace.isOver) await pace.rest();
    const of = timeline.lane(key);
    const entry = of?.entries.at(indexOf(key));
    if (of === undefined || entry?.kind !== 'message') continue;
    const outcome = of.log.outcomeOf(entry);
    const status = outcome?.status ?? 'pending';
    const isTimed = of.hasTimes && status !== 'stream' && outcome?.answer !== undefined;
    const humanMs = of.hasTimes ? (outcome?.humanMs ?? 0) : 0;
    const durationMs = isTimed && outcome.durationMs !== undefined ? outcome.durationMs : undefined;
    tally.add({ status, durationMs, humanMs, ...callSize(of, entry, outcome) });
  }
  const title = group === 'server' ? (timeline.lanes[lane]?.header.label ?? '') : id.slice(id.indexOf('/') + 1);
  return { kind: 'group', id, lane, title, isClosed, figures: tally.figures() };
}
