import type { CallStatus } from '../../src/analysis/calls/call.ts';
import type { Direction } from '../../src/model/entry.ts';
import { type MessageMark, marksOf } from '../../src/present/glyphs.ts';
import { briefOf } from '../../src/present/row-brief.ts';
import { wordsOf } from '../../src/present/row-words.ts';
import { envelopeOf } from '../../src/protocol/envelope.ts';
import { type EntryKey, indexOf } from './entry-key.ts';
import type { Timeline } from './timeline/timeline.ts';

export type RowKind = 'call' | 'answer' | 'notification' | 'invalid' | 'event' | 'other' | 'idle';

/** A row of the timeline. */
export interface RowFacts {
  readonly key: number;
  readonly kind: RowKind;
  readonly lane: number;
  readonly atMs: number;
  readonly sequence: number | undefined;
  readonly direction: Direction | undefined;
  /** The tool, the method, or another kind of name. */
  readonly name: string;
  /** A short summary of the request. */
  readonly brief: string;
  readonly id: string | undefined;
  readonly failed: boolean;
  /** The status of the call; a request without a response is pending. */
  readonly status: CallStatus | undefined;
  /** Whether it is a response that answers no open request. */
  readonly isOrphan: boolean;
  /** The duration, and the part of it spent waiting for a person; undefined if the recording has no times. */
  readonly durationMs: number | undefined;
  readonly humanMs: number;
  /** The times of progress notifications. */
  readonly progressMs: readonly number[];
  readonly mark: MessageMark | undefined;
  /** The length of an idle row. */
  readonly idleMs: number | undefined;
}

/** A call may have a thousand progress notifications; the bar has room for this many. */
const MAX_TICKS = 50;

export function rowAt(timeline: Timeline, key: number): RowFacts | undefined {
  return key < 0 ? idleRow(timeline, -1 - key) : entryRow(timeline, key);
}

function idleRow(timeline: Timeline, key: EntryKey): RowFacts | undefined {
  const next = timeline.entry(key);
  const lane = timeline.lane(key);
  if (next === undefined || lane === undefined) return undefined;
  const gap = timeline.gaps().findLast(({ toMs }) => toMs <= next.atMs);
  const idleMs = gap === undefined ? 0 : gap.toMs - gap.fromMs;
  return { ...NOTHING, key: -1 - key, kind: 'idle', lane: lane.index, atMs: gap?.fromMs ?? next.atMs, idleMs };
}

const NOTHING = {
  sequence: undefined,
  direction: undefined,
  name: '',
  brief: '',
  id: undefined,
  failed: false,
  status: undefined,
  isOrphan: false,
  durationMs: undefined,
  humanMs: 0,
  progressMs: [],
  mark: undefined,
  idleMs: undefined,
} as const;

function entryRow(timeline: Timeline, key: EntryKey): RowFacts | undefined {
  const lane = timeline.lane(key);
  const entry = lane?.entries.at(indexOf(key));
  if (lane === undefined || entry === undefined) return undefined;
  const { name, id, failed } = wordsOf(entry);
  const base = { ...NOTHING, key, lane: lane.index, atMs: entry.atMs, name, brief: briefOf(entry), id, failed };
  if (entry.kind !== 'message') return { ...base, kind: entry.kind };
  const outcome = lane.log.outcomeOf(entry);
  const { kind } = envelopeOf(entry);
  const isOwn = outcome?.request === entry.sequence;
  const timed = isOwn && lane.hasTimes ? outcome : undefined;
  const status = outcome?.status ?? (kind === 'request' ? 'pending' : undefined);
  return {
    ...base,
    kind: kind === 'request' ? 'call' : kind === 'response' ? 'answer' : kind,
    sequence: entry.sequence,
    direction: entry.direction,
    failed: failed || (isOwn && status === 'error'),
    status,
    isOrphan: lane.log.isOrphan(entry),
    durationMs: timed?.durationMs,
    humanMs: timed?.humanMs ?? 0,
    progressMs: timed?.progress.slice(0, MAX_TICKS).flatMap((sequence) => timeOf(sequence)) ?? [],
    mark: marksOf(entry)[0],
  };

  function timeOf(sequence: number): number[] {
    const place = lane?.log.placeOf(sequence);
    return lane === undefined || place === undefined ? [] : [lane.log.facts.timeAt(place)];
  }
}
