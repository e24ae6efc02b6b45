import { type Filter, loadFilter } from '../../src/analysis/filter/filter.ts';
import type { Finding } from '../../src/analysis/findings/finding.ts';
import { readers, readSource } from '../../src/formats/registry.ts';
import { inOneLine, ReelError } from '../../src/model/errors.ts';
import { blobSource } from './blob-source.ts';
import { breath } from './breath.ts';
import type { DiffFacts, DiffSection, DiffChoice } from './diff/diff-facts.ts';
import { DiffQueries } from './diff/diff-queries.ts';
import type { DiffRow } from './diff/diff-rows.ts';
import { detailOf, type EntryDetail } from './entry-detail.ts';
import { type EntryKey, keyOf } from './entry-key.ts';
import type { FileToOpen } from './file-to-open.ts';
import { type FilterWord, filterWords } from './filter-words.ts';
import { TimelineFindings } from './findings.ts';
import { WorkPace } from './pace.ts';
import { readingFault } from './reading-fault.ts';
import { type RowFacts, rowAt } from './row-facts.ts';
import { checkCall, type SchemaFacts } from './schema-check.ts';
import type { ShownRows } from './shown-rows.ts';
import { Lane } from './timeline/lane.ts';
import { TimelineLosses, type LaneLosses } from './timeline/lane-losses.ts';
import { type LiveBeginning, type LaneEnding, LiveLanes } from './timeline/live-lanes.ts';
import { type Minimap, minimapOf } from './timeline/minimap.ts';
import { countFilm, type TimelineCounts } from './timeline/timeline-counts.ts';
import { type TimelineFacts, factsOf, type ShownFacts } from './timeline/timeline-facts.ts';
import { ViewQuestions } from './view-questions.ts';

/** What the engine tells unasked. */
export interface EngineListener {
  onFilm(facts: TimelineFacts): void;
  onShown(facts: ShownFacts): void;
}

/** What is chosen to be shown, as the user wrote it. */
export interface WantedRows {
  readonly filter: string;
  readonly range: { readonly fromMs: number; readonly toMs: number } | undefined;
  readonly foldsAnswers: boolean;
}

/** How often the page is told while much is coming in. */
const TELL_EVERY_MS = 300;
/** The first rows are told at once, further ones no more often than this. */
const SHOW_EVERY_MS = 300;
/** So many rows fill a screen: the first ones are told along with their number. */
const SCREENFUL = 100;

/**
 * Knows all that the page shows and answers its questions. It lives in a Worker, so that reading and searching never
 * hold up the page; what is asked comes back as plain data.
 */
export class Engine extends ViewQuestions {
  readonly #rows: ShownRows = this.shownRows;
  readonly #listener: EngineListener;
  readonly #now: () => number;
  readonly #findings: TimelineFindings;
  readonly #losses: TimelineLosses;
  readonly #diffs = new DiffQueries(this.film);
  readonly #live = new LiveLanes({
    film: this.film,
    addLane: (lane) => this.addLane(lane),
    changed: (isOther) => this.#liveChanged(isOther),
  });
  #version = 0;
  #shownVersion = 0;
  #isWorking = false;
  #toldAtMs = 0;
  #filterText = '';
  /** How many rows the page knows of, and since when. */
  #toldRows = 0;
  #shownAtMs = 0;
  #asked = 0;
  #choosing: Promise<string | undefined> = Promise.resolve(undefined);

  constructor(listener: EngineListener, now: () => number) {
    super(now);
    this.#listener = listener;
    this.#now = now;
    this.#findings = new TimelineFindings(this.film, now);
    this.#losses = new TimelineLosses(this.film, now);
  }

  /** Opens files one after the other; each becomes a lane. Resolves when all are read. */
  async open(files: readonly FileToOpen[]): Promise<void> {
    const lanes = files.map(({ name, blob }) => this.addLane(new Lane(this.film.lanes.length, blobSource(name, blob))));
    this.tell();
    for (const [place, lane] of lanes.entries()) await this.#read(lane, files[place]);
  }

  addLane(lane: Lane): Lane {
    this.film.lanes.push(lane);
    this.film.grown();
    return lane;
  }

  /** Forgets everything. */
  close(): void {
    if (this.film.lanes.length === 0) return;
    this.film.lanes.length = 0;
    this.film.grown();
    this.#rows.clear();
    this.tell();
  }

  /** Chooses what is shown. Resolves with why the filter cannot be used, if it cannot: then nothing changes. */
  choose(wanted: WantedRows): Promise<string | undefined> {
    this.#choosing = this.#choose(wanted, ++this.#asked);
    return this.#choosing;
  }

  rows(from: number, to: number): (RowFacts | undefined)[] {
    return this.#rows.slice(from, to).map((key) => rowAt(this.film, key));
  }

  rowOf(key: EntryKey): number | undefined {
    return this.#rows.rowOf(key);
  }

  detail(key: EntryKey): EntryDetail | undefined {
    return detailOf(this.film, key);
  }

  /** What is worth telling about a lane as far as it is read. */
  findings(lane: number): Promise<readonly Finding[]> {
    return this.#findings.of(lane);
  }

  /** What is worth telling about an entry and the call that it belongs to. */
  findingsAbout(key: EntryKey): Promise<readonly Finding[]> {
    return this.#findings.about(key);
  }

  /** Whether a call keeps to the schemas of its tool. */
  schemaCheck(key: EntryKey): Promise<SchemaFacts | undefined> {
    return checkCall(this.film, key);
  }

  /** The entry so many rows further down, from the first or the last one where none is given. */
  step(from: EntryKey | undefined, rows: number): EntryKey | undefined {
    return this.#rows.step(from, rows);
  }

  /** The request of an answer, or the answer of a request. */
  partner(key: EntryKey): EntryKey | undefined {
    const entry = this.film.entry(key);
    const lane = this.film.lane(key);
    const place = entry && lane?.log.partnerOf(entry);
    return lane === undefined || place === undefined ? undefined : keyOf(lane.index, place);
  }

  counts(): TimelineCounts {
    return countFilm(this.film);
  }

  filterWords(): FilterWord[] {
    return filterWords(this.film);
  }

  minimap(parts: number): Minimap {
    return minimapOf(this.film, parts);
  }

  /** What recordings do not hold although it was said, lane by lane. */
  losses(): Promise<readonly LaneLosses[]> {
    return this.#losses.ofLanes();
  }

  /** Compares two lanes. What differs is then asked for with `diffRows`. */
  diff(wish: DiffChoice): Promise<DiffFacts> {
    return this.#diffs.compare(wish);
  }

  diffRows(section: DiffSection, from: number, to: number): readonly DiffRow[] {
    return this.#diffs.rows(section, from, to);
  }

  /** The formats that a file may be read as. */
  formats(): readonly { readonly id: string; readonly title: string }[] {
    return readers.map(({ id, title }) => ({ id, title }));
  }

  /** A session that runs has a lane from now on, or goes on in the one that it has. */
  beginLive(beginning: LiveBeginning): void {
    this.#live.begin(beginning);
  }

  /** Lines were added to the trace of a session that runs. */
  addLive(id: string, lines: readonly string[]): void {
    this.#live.add(id, lines);
  }

  endLive(id: string, ending: LaneEnding): void {
    this.#live.end(id, ending);
  }

  pauseLive(isPaused: boolean): void {
    this.#live.pause(isPaused);
  }

  /** To be called when a lane has grown or changed. */
  grew(): void {
    this.film.grown();
    if (this.#now() - this.#toldAtMs >= TELL_EVERY_MS) this.tell();
    else this.#work();
  }

  /** Tells what there is now. */
  tell(): void {
    this.#toldAtMs = this.#now();
    if (this.film.merge()) this.#rows.restart();
    this.#version++;
    this.#listener.onFilm(factsOf(this.film, this.#version));
    this.#work();
  }

  async #choose({ filter: text, range, foldsAnswers }: WantedRows, turn: number): Promise<string | undefined> {
    const read = text.trim() === '' ? { filter: undefined } : await readFilter(text);
    // Somebody who types on wants the answer to what stands there now.
    if (turn !== this.#asked) return this.#choosing;
    if ('fault' in read) return read.fault;
    this.#rows.choose({ filter: read.filter, range, foldsAnswers });
    this.#filterText = text;
    this.#toldRows = 0;
    this.#shownVersion++;
    this.#work();
    return undefined;
  }

  #liveChanged(isOther: boolean): void {
    const { filter, range } = this.#rows.choice;
    // What was pending may fit now, or fit no more.
    if ((isOther && (filter !== undefined || range !== undefined)) || this.#rows.hasOldSilences) this.#rows.restart();
    this.film.grown();
    this.tell();
  }

  async #read(lane: Lane, file: FileToOpen | undefined): Promise<void> {
    if (lane.source === undefined) return;
    try {
      const source = counted(lane.source, (bytes) => {
        lane.bytesRead += bytes;
      });
      const session = await readSource(source, { onProblem: (problem) => lane.noteProblem(problem) }, file?.format);
      lane.begin(session, file?.origin);
      lane.served = file?.served;
      lane.bytesRead = 0;
      for await (const batch of session.batches()) {
        // What was closed meanwhile need not be read on.
        if (this.film.lanes[lane.index] !== lane) return;
        lane.log.add(batch);
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
    this.film.grown();
    // What was pending while it was read may be seen in another light now.
    if (this.#rows.choice.filter !== undefined || this.#rows.hasOldSilences) this.#rows.restart();
    this.tell();
  }

  /** Judges in slices; the first ones that are found are told at once. */
  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#workOn();
  }

  async #workOn(): Promise<void> {
    for (const pace = new WorkPace(this.#now); ; await pace.rest()) {
      const hasNews = (): boolean => this.#toldRows === 0 && this.#rows.length >= SCREENFUL;
      const isDone = this.#rows.work(() => !pace.isOver && !hasNews());
      const isFirst = this.#toldRows < SCREENFUL && this.#rows.length > this.#toldRows;
      const isSettled = isDone && !this.film.lanes.some(({ state }) => state === 'reading');
      if (isSettled || isFirst || this.#now() - this.#shownAtMs >= SHOW_EVERY_MS) this.#tellShown(isSettled);
      if (isDone) break;
    }
    this.#isWorking = false;
  }

  #tellShown(isComplete: boolean): void {
    const { length, count } = this.#rows;
    const isNew = this.#toldRows < SCREENFUL;
    this.#toldRows = length;
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
