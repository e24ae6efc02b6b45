import { type Filter, loadFilter } from '../../src/analysis/filter/filter.ts';
import type { Finding } from '../../src/analysis/findings/finding.ts';
import type { ReadProblem } from '../../src/formats/format.ts';
import { readers, readSource } from '../../src/formats/registry.ts';
import { BatchPlaces, traceTexts } from '../../src/formats/trace/entry-block.ts';
import { inOneLine, ReelError } from '../../src/model/errors.ts';
import { sourceOf } from './blob-source.ts';
import { blobSpool } from './blob-spool.ts';
import { breath } from './breath.ts';
import type { DiffChoice, DiffFacts, DiffSection } from './diff/diff-facts.ts';
import { DiffQueries } from './diff/diff-queries.ts';
import type { DiffRow } from './diff/diff-rows.ts';
import { detailOf, type EntryDetail } from './entry-detail.ts';
import { type EntryKey, keyOf } from './entry-key.ts';
import type { FileToOpen } from './file-to-open.ts';
import { type FilterWord, FilterWords } from './filter-words.ts';
import { TimelineFindings } from './findings.ts';
import { WorkPace } from './pace.ts';
import { readingFault } from './reading-fault.ts';
import { type RowFacts, rowAt } from './row-facts.ts';
import { checkCall, type SchemaFacts } from './schema-check.ts';
import type { ShownRows } from './shown-rows.ts';
import { Lane } from './timeline/lane.ts';
import { type LaneLosses, TimelineLosses } from './timeline/lane-losses.ts';
import { type LaneEnding, type LiveBeginning, LiveLanes } from './timeline/live-lanes.ts';
import { type Minimap, minimapOf } from './timeline/minimap.ts';
import { countTimeline, type TimelineCounts } from './timeline/timeline-counts.ts';
import { factsOf, type ShownFacts, type TimelineFacts } from './timeline/timeline-facts.ts';
import { ViewQuestions } from './view-questions.ts';

/** Receives the events that the engine sends without a request. */
export interface EngineListener {
  onTimeline(facts: TimelineFacts): void;
  onShown(facts: ShownFacts): void;
}

/** What the user chose to show. */
export interface RequestedRows {
  readonly filter: string;
  readonly range: { readonly fromMs: number; readonly toMs: number } | undefined;
  readonly foldsAnswers: boolean;
}

/** The minimum time between reports while much data arrives. */
const TELL_EVERY_MS = 300;
/** The first rows are reported at once, later ones at most this often. */
const SHOW_EVERY_MS = 300;
/** The number of rows that fill a screen. The first report includes these rows. */
const SCREENFUL = 100;

/**
 * Holds all data that the page shows and answers its queries. It runs in a Worker, so that reading and searching never
 * block the page. Answers are plain data.
 */
export class Engine extends ViewQuestions {
  readonly #rows: ShownRows = this.shownRows;
  readonly #listener: EngineListener;
  readonly #now: () => number;
  readonly #findings: TimelineFindings;
  readonly #losses: TimelineLosses;
  readonly #words: FilterWords;
  readonly #diffs = new DiffQueries(this.timeline);
  readonly #live = new LiveLanes({
    timeline: this.timeline,
    addLane: (lane) => this.addLane(lane),
    changed: (isOther) => this.#liveChanged(isOther),
  });
  #version = 0;
  #shownVersion = 0;
  #isWorking = false;
  #reportedAtMs = 0;
  #filterText = '';
  /** The number of rows last reported, and the time of the report. */
  #reportedRows = 0;
  #shownAtMs = 0;
  #requested = 0;
  #choosing: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(listener: EngineListener, now: () => number) {
    super(now);
    this.#listener = listener;
    this.#now = now;
    this.#findings = new TimelineFindings(this.timeline, now);
    this.#losses = new TimelineLosses(this.timeline, now);
    this.#words = new FilterWords(this.timeline, now);
  }

  /** Opens files one after the other; each becomes a lane. Resolves when all of them are read. */
  async open(files: readonly FileToOpen[]): Promise<void> {
    const lanes = files.map((file) => this.addLane(new Lane(this.timeline.lanes.length, sourceOf(file))));
    this.report();
    for (const [place, lane] of lanes.entries()) await this.#read(lane, files[place]);
  }

  addLane(lane: Lane): Lane {
    this.timeline.lanes.push(lane);
    this.timeline.grown();
    return lane;
  }

  /** Closes all lanes. */
  close(): void {
    if (this.timeline.lanes.length === 0) return;
    this.timeline.lanes.length = 0;
    this.timeline.grown();
    this.#rows.clear();
    this.report();
  }

  /** Sets the filter, range and folding. If the filter is invalid, resolves with the reason and changes nothing. */
  choose(requested: RequestedRows): Promise<string | undefined> {
    this.#choosing = this.#choose(requested, ++this.#requested);
    return this.#choosing;
  }

  rows(from: number, to: number): (RowFacts | undefined)[] {
    return this.#rows.slice(from, to).map((key) => rowAt(this.timeline, key));
  }

  rowOf(key: EntryKey): number | undefined {
    return this.#rows.rowOf(key);
  }

  detail(key: EntryKey): EntryDetail | undefined {
    return detailOf(this.timeline, key);
  }

  /** The findings about a lane, as far as it is read. */
  findings(lane: number): Promise<readonly Finding[]> {
    return this.#findings.of(lane);
  }

  /** The findings about an entry and the call that it belongs to. */
  findingsAbout(key: EntryKey): Promise<readonly Finding[]> {
    return this.#findings.about(key);
  }

  /** Checks a call against the schemas of its tool. */
  schemaCheck(key: EntryKey): Promise<SchemaFacts | undefined> {
    return checkCall(this.timeline, key);
  }

  /** The entry this many rows down. Without `from`, it counts from the first or the last row. */
  step(from: EntryKey | undefined, rows: number): EntryKey | undefined {
    return this.#rows.step(from, rows);
  }

  /** The request of a response, or the response to a request. */
  partner(key: EntryKey): EntryKey | undefined {
    const entry = this.timeline.entry(key);
    const lane = this.timeline.lane(key);
    const place = entry && lane?.log.partnerOf(entry);
    return lane === undefined || place === undefined ? undefined : keyOf(lane.index, place);
  }

  counts(): TimelineCounts {
    return countTimeline(this.timeline);
  }

  filterWords(): Promise<FilterWord[]> {
    return this.#words.suggest();
  }

  minimap(parts: number): Minimap {
    return minimapOf(this.timeline, parts);
  }

  /** Data that the recordings lack, by lane. */
  losses(): Promise<readonly LaneLosses[]> {
    return this.#losses.ofLanes();
  }

  /** Compares two lanes. `diffRows` then returns the differences. */
  diff(choice: DiffChoice): Promise<DiffFacts> {
    return this.#diffs.compare(choice);
  }

  diffRows(section: DiffSection, from: number, to: number): readonly DiffRow[] {
    return this.#diffs.rows(section, from, to);
  }

  /** The formats that a file can be read as. */
  formats(): readonly { readonly id: string; readonly title: string }[] {
    return readers.map(({ id, title }) => ({ id, title }));
  }

  /** Adds a lane for a running session, or continues its existing lane. */
  beginLive(beginning: LiveBeginning): void {
    this.#live.begin(beginning);
  }

  /** Adds lines to the trace of a running session. */
  addLive(id: string, lines: readonly string[]): void {
    this.#live.add(id, lines);
  }

  endLive(id: string, ending: LaneEnding): void {
    this.#live.end(id, ending);
  }

  pauseLive(isPaused: boolean): void {
    this.#live.pause(isPaused);
  }

  /** Called when a lane has grown or changed. */
  grew(): void {
    this.timeline.grown();
    if (this.#now() - this.#reportedAtMs >= TELL_EVERY_MS) this.report();
    else this.#work();
  }

  /** Reports the current state to the page. */
  report(): void {
    this.#reportedAtMs = this.#now();
    if (this.timeline.merge()) this.#rows.restart();
    this.#version++;
    this.#listener.onTimeline(factsOf(this.timeline, this.#version));
    this.#work();
  }

  async #choose({ filter: text, range, foldsAnswers }: RequestedRows, turn: number): Promise<string | undefined> {
    const read = text.trim() === '' ? { filter: undefined } : await readFilter(text);
    // The user has typed on, so only the latest filter counts.
    if (turn !== this.#requested) return this.#choosing;
    if ('fault' in read) return read.fault;
    this.#rows.choose({ filter: read.filter, range, foldsAnswers });
    this.#filterText = text;
    this.#reportedRows = 0;
    this.#shownVersion++;
    this.#work();
    return undefined;
  }

  #liveChanged(isOther: boolean): void {
    const { filter, range } = this.#rows.choice;
    // Calls that were pending may match now, or no longer match.
    if ((isOther && (filter !== undefined || range !== undefined)) || this.#rows.hasOldSilences) this.#rows.restart();
    this.timeline.grown();
    this.report();
  }

  async #read(lane: Lane, file: FileToOpen | undefined): Promise<void> {
    if (lane.source === undefined) return;
    try {
      const source = counted(lane.source, (bytes) => {
        lane.bytesRead += bytes;
      });
      const places = new BatchPlaces();
      const onProblem = (problem: ReadProblem): void => lane.noteProblem(problem);
      const session = await readSource(source, { onProblem, onPlaced: places.note }, file?.format);
      lane.begin(session, file?.origin);
      lane.log.texts = traceTexts(session.header, source, blobSpool());
      lane.served = file?.served;
      lane.bytesRead = 0;
      for await (const batch of session.batches()) {
        // Stop reading a lane that was closed.
        if (this.timeline.lanes[lane.index] !== lane) return;
        lane.log.add(batch, places.take());
        this.grew();
        await breath();
      }
      lane.log.end();
      lane.bytesRead = lane.size;
      lane.state = 'read';
    } catch (error) {
      lane.state = 'lost';
      lane.fault = readingFault(error);
    }
    this.timeline.grown();
    // Calls that were pending during the reading may match differently now.
    if (this.#rows.choice.filter !== undefined || this.#rows.hasOldSilences) this.#rows.restart();
    this.report();
  }

  /** Evaluates entries in slices, and reports the first matches at once. */
  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#workOn();
  }

  async #workOn(): Promise<void> {
    for (const pace = new WorkPace(this.#now); ; await pace.rest()) {
      const hasNews = (): boolean => this.#reportedRows === 0 && this.#rows.length >= SCREENFUL;
      const isDone = this.#rows.work(() => !pace.isOver && !hasNews());
      const isFirst = this.#reportedRows < SCREENFUL && this.#rows.length > this.#reportedRows;
      const isSettled = isDone && !this.timeline.lanes.some(({ state }) => state === 'reading');
      if (isSettled || isFirst || this.#now() - this.#shownAtMs >= SHOW_EVERY_MS) this.#reportShown(isSettled);
      if (isDone) break;
    }
    this.#isWorking = false;
  }

  #reportShown(isComplete: boolean): void {
    const { length, count } = this.#rows;
    const isNew = this.#reportedRows < SCREENFUL;
    this.#reportedRows = length;
    this.#shownAtMs = this.#now();
    this.#listener.onShown({
      version: ++this.#shownVersion,
      filter: this.#filterText,
      rows: length,
      entries: count,
      isComplete,
      ...(isNew && { head: this.rows(0, SCREENFUL) }),
    });
  }
}

async function readFilter(text: string): Promise<{ readonly filter: Filter } | { readonly fault: string }> {
  try {
    return { filter: await loadFilter(text) };
  } catch (error) {
    if (!(error instanceof ReelError)) throw error;
    return { fault: inOneLine(error) };
  }
}

function counted<T extends { read(start: number, end: number): AsyncIterable<Uint8Array> }>(
  source: T,
  onBytes: (bytes: number) => void,
): T {
  return {
    ...source,
    async *read(start: number, end: number) {
      for await (const chunk of source.read(start, end)) {
        onBytes(chunk.length);
        yield chunk;
      }
    },
  };
}
