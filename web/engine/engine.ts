import { loadFilter } from '../../src/analysis/filter.ts';
import { readSource } from '../../src/formats/registry.ts';
import { ReelError } from '../../src/model/errors.ts';
import { blobSource } from './blob-source.ts';
import { detailOf, type EntryDetail } from './entry-detail.ts';
import type { EntryKey } from './entry-key.ts';
import { Film } from './film.ts';
import { type FilmFacts, factsOf, type ShownFacts } from './film-facts.ts';
import { Lane } from './lane.ts';
import { type Minimap, minimapOf } from './minimap.ts';
import { type Row, rowAt } from './row-facts.ts';
import { ShownRows } from './shown-rows.ts';

/** What the engine tells unasked. */
export interface EngineListener {
  onFilm(facts: FilmFacts): void;
  onShown(facts: ShownFacts): void;
}

/** A file to be opened. */
export interface FileToOpen {
  readonly name: string;
  readonly blob: Blob;
  /** The id of its format, where its content shall not tell. */
  readonly format?: string | undefined;
}

/** What is chosen to be shown, as the user wrote it. */
export interface WantedRows {
  readonly filter: string;
  readonly range: { readonly fromMs: number; readonly toMs: number } | undefined;
  readonly foldsAnswers: boolean;
}

/** Why a filter cannot be used. */
export interface FilterFault {
  readonly message: string;
  readonly hint: string | undefined;
}

/** How long judging goes on before questions have their turn. */
const SLICE_MS = 8;
/** How often the page is told while much is coming in. */
const TELL_EVERY_MS = 100;

/**
 * Knows all that the page shows and answers its questions. It lives in a Worker, so that reading and searching never
 * hold up the page; what is asked comes back as plain data.
 */
export class Engine {
  readonly film: Film = new Film();
  readonly #rows = new ShownRows(this.film);
  readonly #listener: EngineListener;
  readonly #now: () => number;
  #version = 0;
  #shownVersion = 0;
  #isWorking = false;
  #toldAtMs = 0;
  #asked = 0;

  constructor(listener: EngineListener, now: () => number) {
    this.#listener = listener;
    this.#now = now;
  }

  /** Opens files one after the other; each becomes a lane. Resolves when all are read. */
  async open(files: readonly FileToOpen[]): Promise<void> {
    const lanes = files.map(({ name, blob }) => this.addLane(new Lane(this.film.lanes.length, blobSource(name, blob))));
    this.tell();
    for (const [place, lane] of lanes.entries()) await this.#read(lane, files[place]?.format);
  }

  addLane(lane: Lane): Lane {
    this.film.lanes.push(lane);
    return lane;
  }

  /** Forgets everything. */
  close(): void {
    this.film.lanes.length = 0;
    this.film.grown();
    this.#rows.restart();
    this.tell();
  }

  /** Chooses what is shown; a filter that cannot be read changes nothing. */
  async choose({ filter: text, range, foldsAnswers }: WantedRows): Promise<FilterFault | undefined> {
    const turn = ++this.#asked;
    try {
      const filter = text.trim() === '' ? undefined : await loadFilter(text);
      // Somebody who types on does not want the answer to what stood there before.
      if (turn !== this.#asked) return undefined;
      this.#rows.choose({ filter, range, foldsAnswers });
    } catch (error) {
      if (!(error instanceof ReelError)) throw error;
      return { message: error.message, hint: error.hint };
    }
    this.#shownVersion++;
    this.#work();
    return undefined;
  }

  rows(from: number, to: number): (Row | undefined)[] {
    return this.#rows.slice(from, to).map((key) => rowAt(this.film, key));
  }

  rowOf(key: EntryKey): number | undefined {
    return this.#rows.rowOf(key);
  }

  /** The keys of all entries that have a row. */
  shownKeys(): readonly EntryKey[] {
    return this.#rows.keys();
  }

  detail(key: EntryKey): EntryDetail | undefined {
    return detailOf(this.film, key);
  }

  minimap(parts: number): Minimap {
    return minimapOf(this.film, parts);
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

  async #read(lane: Lane, format: string | undefined): Promise<void> {
    if (lane.source === undefined) return;
    try {
      const source = counted(lane.source, (bytes) => {
        lane.bytesRead += bytes;
      });
      const session = await readSource(source, { onProblem: (problem) => lane.noteProblem(problem) }, format);
      lane.begin(session);
      lane.bytesRead = 0;
      for await (const batch of session.batches()) {
        lane.log.add(batch);
        this.grew();
        await breath();
      }
      lane.log.end();
      lane.bytesRead = lane.size;
      lane.state = 'read';
    } catch (error) {
      lane.state = 'lost';
      lane.fault = error instanceof ReelError ? [error.message, error.hint ?? ''].join(' ').trim() : String(error);
    }
    this.film.grown();
    // What was pending while it was read may be seen in another light now.
    this.#rows.restart();
    this.tell();
  }

  /** Judges in slices; the first ones that are found are told at once. */
  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#workOn();
  }

  async #workOn(): Promise<void> {
    for (;;) {
      const stopAtMs = this.#now() + SLICE_MS;
      const isDone = this.#rows.work(() => this.#now() < stopAtMs);
      this.#tellShown(isDone);
      if (isDone) break;
      await breath();
    }
    this.#isWorking = false;
  }

  #tellShown(isComplete: boolean): void {
    const { length, count } = this.#rows;
    this.#listener.onShown({ version: ++this.#shownVersion, rows: length, entries: count, isComplete });
  }
}

/** Lets whatever waits have its turn. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
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
