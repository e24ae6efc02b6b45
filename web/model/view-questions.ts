import type { Entry } from '../../src/model/entry.ts';
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
import { Timeline } from './timeline/timeline.ts';
import type { ToolFigures } from './tools/tool-figures.ts';

/** What the views of calls, tools, lines and sessions ask of the engine: all that can be told from what is there. */
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

  /** Sorts and groups the calls that are shown; `callRows` gives them then. */
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

  /** What was said by people and models, with the calls that are shown between; nothing where there are no turns. */
  conversation(): Promise<readonly (ModelTurn | TurnCall)[]> {
    return this.#calls.conversation(this.shownRows.keys());
  }

  /** What the calls of each lane come to, all or those that are shown. */
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

  /** All of one line, counted from 1. */
  async rawLine(lane: number, line: number): Promise<RawLine | undefined> {
    const of = this.timeline.lanes[lane];
    return of && this.#raw.whole(of, line);
  }

  /** The number of the line that an entry stands in, where that is known. */
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

  /** What these entries say in a row, wherever they are. */
  rowsOf(keys: readonly EntryKey[]): (RowFacts | undefined)[] {
    return keys.map((key) => rowAt(this.timeline, key));
  }

  /** The entry with this sequence among the messages of a lane, or an event by its time and name. */
  keyAt(lane: number, at: number | { readonly atMs: number; readonly event: string }): EntryKey | undefined {
    const of = this.timeline.lanes[lane];
    const isMeant = (entry: Entry): boolean =>
      typeof at !== 'number' && entry.kind === 'event' && entry.atMs === at.atMs && entry.event === at.event;
    const place = typeof at === 'number' ? of?.log.placeOf(at) : of?.entries.findIndex(isMeant);
    return place === undefined || place < 0 ? undefined : keyOf(lane, place);
  }

  /** What was changed in a message before it was passed on. */
  changeOf(key: EntryKey): ChangeFacts | undefined {
    return changeOf(this.timeline, key);
  }

  /** Writes what is shown to files, one for each lane. */
  exportShown(requested: RequestedExport): Promise<ExportedFile[]> {
    return exportShown(this.timeline, this.shownRows.keys(), requested);
  }
}
