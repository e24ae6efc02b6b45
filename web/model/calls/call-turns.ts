import type { CallStatus } from '../../../src/analysis/calls/call.ts';
import { elementsOf, ObjectView } from '../../../src/json/object-view.ts';
import type { OtherEntry } from '../../../src/model/entry.ts';
import { type EntryKey, keyOf } from '../entry-key.ts';
import { rowAt } from '../row-facts.ts';
import type { Lane } from '../timeline/lane.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** A turn of a user or a model between calls. */
export interface ModelTurn {
  readonly kind: 'turn';
  readonly key: EntryKey;
  readonly lane: number;
  readonly atMs: number;
  readonly role: string;
  readonly model: string | undefined;
  readonly text: string;
  readonly isCut: boolean;
  /** The types of the parts that are not text. */
  readonly parts: readonly string[];
}

/** A call between two turns. */
export interface TurnCall {
  readonly kind: 'call';
  readonly key: EntryKey;
  readonly lane: number;
  readonly atMs: number;
  readonly name: string;
  readonly status: CallStatus;
  readonly durationMs: number | undefined;
}

const LONGEST = 4000;
const TURN = 'turn';

/** The turns and the calls between them, ordered by time. */
export function conversationOf(timeline: Timeline, calls: readonly EntryKey[]): (ModelTurn | TurnCall)[] {
  const turns = turnsIn(timeline);
  const between = calls.flatMap((key) => turnCall(timeline, key) ?? []);
  return [...turns, ...between].sort((a, b) => a.atMs - b.atMs || a.key - b.key);
}

/** Whether the recording has turns. */
export function hasTurns({ lanes }: Timeline): boolean {
  return lanes.some((lane) => turnsOf(lane).next().done !== true);
}

function turnCall(timeline: Timeline, key: EntryKey): TurnCall | undefined {
  const row = rowAt(timeline, key);
  if (row === undefined) return undefined;
  const { lane, atMs, name, status = 'pending', durationMs } = row;
  return { kind: 'call', key, lane, atMs, name, status, durationMs };
}

function turnsIn(timeline: Timeline): ModelTurn[] {
  return timeline.lanes.flatMap((lane) =>
    [...turnsOf(lane)].map(([index, entry]) => turnOf(keyOf(lane.index, index), lane.index, entry)),
  );
}

function* turnsOf({ entries, log }: Lane): Generator<[index: number, turn: OtherEntry]> {
  for (let index = 0; index < entries.length; index++) {
    const entry = log.facts.natureAt(index) === 'other' ? entries.at(index) : undefined;
    if (entry?.kind === 'other' && entry.type === TURN) yield [index, entry];
  }
}

export function turnOf(key: EntryKey, lane: number, { atMs, text }: OtherEntry): ModelTurn {
  const view = ObjectView.of(text);
  const { texts, parts } = blocksIn(view?.textOf('blocks') ?? view?.textOf('content') ?? '');
  const sent = view?.string('text') ?? view?.string('content') ?? texts.join('\n');
  return {
    kind: 'turn',
    key,
    lane,
    atMs,
    role: view?.string('role') ?? 'somebody',
    model: view?.string('model'),
    text: sent.slice(0, LONGEST),
    isCut: sent.length > LONGEST,
    parts,
  };
}

function blocksIn(list: string): { readonly texts: string[]; readonly parts: string[] } {
  const texts: string[] = [];
  const parts: string[] = [];
  for (const { start, end } of elementsOf(list) ?? []) {
    const block = ObjectView.of(list.slice(start, end));
    const type = block?.string('type');
    const text = block?.string('text');
    if (text !== undefined && (type === undefined || type === 'text')) texts.push(text);
    else if (type !== undefined) parts.push([type, block?.string('name') ?? ''].join(' ').trim());
  }
  return { texts, parts };
}
