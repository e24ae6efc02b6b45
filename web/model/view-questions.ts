import type { CallListFacts, CallListRow, RequestedList } from './calls/call-list.ts';
import { CallQueries } from './calls/call-queries.ts';
import type { ModelTurn, TurnCall } from './calls/call-turns.ts';
import { type EntryKey, keyOf } from './entry-key.ts';
import { type ExportedFile, exportShown, type RequestedExport } from './export-shown.ts';
import type { RawLine } from './raw/raw-lines.ts';
import { type RawFacts, RawQueries } from './raw/raw-queries.ts';
import { type RowFacts, rowAt } from './row-facts.ts';
import { type ChangeFacts, changeOf } from './session/session-changes.ts';
import type { ExchangeFacts } from './session/session-exchanges.ts';
import type { SessionSummary } from './session/session-facts.ts';
import { SessionQueries } from './session/session-queries.ts';
import { ShownRows } from './shown-rows.ts';
import type { Lane } from './timeline/lane.ts';
import { Timeline } from './timeline/timeline.ts';
import type { ToolFigures } from './tools/tool-figures.ts';

/** The queries of the views about calls, tools, lines and sessions, answered from the loaded data. */
export class ViewQuestions {
  readonly timeline: Timeline = new Timeline();
  protected readonly shownRows: ShownRows = new ShownRows(this.timeline);
  readonly #calls: CallQueries;
  readonly #raw: RawQueries;
  readonly #sessions: SessionQueries;

  constructor(now: () => number) {
    this.#calls = new CallQueries(this.timeline, now);
    this.#raw = new RawQueries(now);
    this.#sessions = new SessionQueries(now);
  }

  /** Sorts and groups the shown calls; `callRows` then returns them. */
  callList(requested: RequestedList): Promise<CallListFacts> {
    return this.#calls.make(this.shownRows.keys(), requested);
  }

  callRows(from: number, to: number): (CallListRow | undefined)[] {
    return this.#calls.rows(from, to);
  }

  callRowOf(key: EntryKey): number | undefined {
    return this.#calls.rowOf(key);
  }

  callStep(from: EntryKey | undefined, rows: number): EntryKey | undefined {
    return this.#calls.step(from, rows);
  }

  /** The turns of users and models, with the shown calls between them; empty if there are no turns. */
  conversation(): Promise<readonly (ModelTurn | TurnCall)[]> {
    return this.#calls.conversation(this.shownRows.keys());
  }

  /** The call statistics of each lane, for all calls or only the shown ones. */
  toolFigures(which: 'all' | 'shown'): Promise<readonly ToolFigures[]> {
    return this.#calls.figures(which === 'all' ? undefined : this.shownRows.keys());
  }

  rawFacts(lane: number): RawFacts | undefined {
    const of = this.timeline.lanes[lane];
    return of && this.#raw.facts(of);
  }

  async rawRows(lane: number, from: number, to: number): Promise<readonly RawLine[]> {
    const of = this.timeline.lanes[lane];
    return of === undefined ? [] : this.#raw.rows(of, from, to);
  }

  /** One whole line, counted from 1. */
  async rawLine(lane: number, line: number): Promise<RawLine | undefined> {
    const of = this.timeline.lanes[lane];
    return of && this.#raw.whole(of, line);
  }

  /** The line number of an entry, if known. */
  async rawLineOf(key: EntryKey): Promise<number | undefined> {
    const of = this.timeline.lane(key);
    return of && this.#raw.lineOf(of, key);
  }

  async rawEntryAt(lane: number, line: number): Promise<EntryKey | undefined> {
    const of = this.timeline.lanes[lane];
    return of && this.#raw.entryAt(of, line);
  }

  async sessionFacts(lane: number): Promise<SessionSummary | undefined> {
    const of = this.timeline.lanes[lane];
    return of && this.#sessions.facts(of);
  }

  async exchanges(lane: number, from: number, to: number): Promise<readonly ExchangeFacts[]> {
    const of = this.timeline.lanes[lane];
    return of === undefined ? [] : this.#sessions.exchanges(of, from, to);
  }

  /** The rows of these entries, shown or not. */
  rowsOf(keys: readonly EntryKey[]): (RowFacts | undefined)[] {
    return keys.map((key) => rowAt(this.timeline, key));
  }

  /** The entry of the message with this sequence number in a lane, or of an event by its time and name. */
  keyAt(lane: number, at: number | { readonly atMs: number; readonly event: string }): EntryKey | undefined {
    const of = this.timeline.lanes[lane];
    const place = typeof at === 'number' ? of?.log.placeOf(at) : of && eventPlace(of, at);
    return place === undefined ? undefined : keyOf(lane, place);
  }

  /** The changes to a message before it was forwarded. */
  changeOf(key: EntryKey): ChangeFacts | undefined {
    return changeOf(this.timeline, key);
  }

  /** Exports the shown entries, one file per lane. */
  exportShown(requested: RequestedExport): Promise<ExportedFile[]> {
    return exportShown(this.timeline, this.shownRows.keys(), requested);
  }
}

function eventPlace({ entries, log }: Lane, at: { readonly atMs: number; readonly event: string }): number | undefined {
  for (let index = 0; index < entries.length; index++) {
    if (log.facts.natureAt(index) !== 'event' || log.facts.timeAt(index) !== at.atMs) continue;
    const entry = entries.at(index);
    if (entry?.kind === 'event' && entry.event === at.event) return index;
  }
  return undefined;
}
