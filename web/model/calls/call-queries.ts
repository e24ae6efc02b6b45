import type { EntryKey } from '../entry-key.ts';
import { WorkPace } from '../pace.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { figuresOf, type ToolFigures } from '../tools/tool-figures.ts';
import { CallList, type CallListFacts, type CallListRow, callsAmong, type RequestedList } from './call-list.ts';
import { conversationOf, hasTurns, type ModelTurn, type TurnCall } from './call-turns.ts';

/** Answers queries about calls: their list, their statistics and the conversation around them. */
export class CallQueries {
  readonly #timeline: Timeline;
  readonly #now: () => number;
  readonly #list: CallList;
  /** The statistics of all calls, cached for these lanes and their numbers of entries. */
  #all: { readonly of: readonly unknown[]; readonly figures: Promise<readonly ToolFigures[]> } | undefined;

  constructor(timeline: Timeline, now: () => number) {
    this.#timeline = timeline;
    this.#now = now;
    this.#list = new CallList(timeline);
  }

  make(shown: readonly EntryKey[], requested: RequestedList): Promise<CallListFacts> {
    return this.#list.make(shown, requested, new WorkPace(this.#now));
  }

  rows(from: number, to: number): (CallListRow | undefined)[] {
    return this.#list.rows(from, to);
  }

  rowOf(key: EntryKey): number | undefined {
    return this.#list.rowOf(key);
  }

  step(from: EntryKey | undefined, rows: number): EntryKey | undefined {
    return this.#list.step(from, rows);
  }

  /** The call statistics of each lane: for the given entries, or for all. */
  async figures(shown: readonly EntryKey[] | undefined): Promise<readonly ToolFigures[]> {
    const pace = new WorkPace(this.#now);
    if (shown !== undefined)
      return figuresOf(this.#timeline, new Set(await callsAmong(this.#timeline, shown, pace)), pace);
    const of = this.#timeline.lanes.flatMap((lane) => [lane, lane.entries.length, lane.state]);
    if (this.#all === undefined || !areSame(this.#all.of, of)) {
      this.#all = { of, figures: figuresOf(this.#timeline, undefined, pace) };
    }
    return this.#all.figures;
  }

  /** The turns of users and models, with the calls of these entries between them. */
  async conversation(shown: readonly EntryKey[]): Promise<readonly (ModelTurn | TurnCall)[]> {
    if (!hasTurns(this.#timeline)) return [];
    return conversationOf(this.#timeline, await callsAmong(this.#timeline, shown, new WorkPace(this.#now)));
  }
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, place) => part === other[place]);
}
