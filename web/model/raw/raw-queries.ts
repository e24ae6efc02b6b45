import { utf8Length } from '../../../src/json/utf8-length.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { textHead } from '../../../src/present/text-head.ts';
import { type EntryKey, indexOf, keyOf } from '../entry-key.ts';
import { WorkPace } from '../pace.ts';
import type { Lane } from '../timeline/lane.ts';
import { type EntryLines, entryLines } from './entry-lines.ts';
import { type RawLine, RawLines } from './raw-lines.ts';

/** Facts about the lines of a lane. */
export interface RawFacts {
  readonly lines: number;
  readonly isComplete: boolean;
  /** Whether these are lines of a file, not of a running session. */
  readonly isFile: boolean;
  /** Lines that could not be read as they are, in order, with the reason. */
  readonly bad: readonly { readonly line: number; readonly what: string }[];
  /** Problems in other places, by the name of the place. */
  readonly elsewhere: readonly { readonly place: string; readonly what: string }[];
  /** The number of problems. If there are very many, only the first ones are listed. */
  readonly problems: number;
}

/** Answers queries about the lines of lanes. It scans a file only when first asked. */
export class RawQueries {
  readonly #now: () => number;
  readonly #lines = new WeakMap<Lane, RawLines>();
  readonly #places = new WeakMap<Lane, { readonly entries: number; readonly lines: Promise<EntryLines> }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  facts(lane: Lane): RawFacts {
    const known = { ...problemsOf(lane), problems: lane.problemCount };
    if (lane.source === undefined) {
      return { ...known, lines: lane.entries.length, isComplete: true, isFile: false };
    }
    const { count, isComplete } = this.#linesOf(lane);
    return { ...known, lines: count, isComplete, isFile: true };
  }

  async rows(lane: Lane, from: number, to: number): Promise<readonly RawLine[]> {
    if (lane.source !== undefined) return this.#linesOf(lane).read(from, to);
    return lane.entries.slice(from, to).map((entry, n) => ownLine(from + n + 1, entry, CUT));
  }

  /** One whole line, counted from 1. */
  async whole(lane: Lane, number: number): Promise<RawLine | undefined> {
    const entry = lane.entries.at(number - 1);
    if (lane.source === undefined) return entry && ownLine(number, entry, Number.POSITIVE_INFINITY);
    const lines = this.#linesOf(lane);
    return number >= 1 && number <= lines.count ? lines.line(number - 1) : undefined;
  }

  /** The line number of an entry, if known. */
  async lineOf(lane: Lane, key: EntryKey): Promise<number | undefined> {
    const entry = lane.entries.at(indexOf(key));
    const number = (await this.#placesOf(lane))[indexOf(key)];
    if (entry === undefined || number === undefined || number === 0) return undefined;
    return lane.format === 'trace' || (await this.#holds(lane, number, entry)) ? number : undefined;
  }

  /** The first entry of a line, if there is one. */
  async entryAt(lane: Lane, number: number): Promise<EntryKey | undefined> {
    const index = (await this.#placesOf(lane)).indexOf(number);
    const entry = lane.entries.at(index);
    if (entry === undefined) return undefined;
    return lane.format === 'trace' || (await this.#holds(lane, number, entry)) ? keyOf(lane.index, index) : undefined;
  }

  /**
   * Some readers number the elements of a list as lines. Only the text of the line shows whether it holds the entry.
   */
  async #holds(lane: Lane, number: number, entry: Entry): Promise<boolean> {
    const line = await this.whole(lane, number);
    return line?.text.includes(entry.kind === 'event' ? entry.raw : entry.text) === true;
  }

  #linesOf(lane: Lane): RawLines {
    const known = this.#lines.get(lane);
    if (known !== undefined || lane.source === undefined) return known ?? NO_LINES;
    const lines = new RawLines(lane.source);
    this.#lines.set(lane, lines);
    void lines.scan(new WorkPace(this.#now));
    return lines;
  }

  #placesOf(lane: Lane): Promise<EntryLines> {
    const known = this.#places.get(lane);
    if (known?.entries === lane.entries.length) return known.lines;
    const lines = entryLines(lane, new WorkPace(this.#now));
    this.#places.set(lane, { entries: lane.entries.length, lines });
    return lines;
  }
}

const CUT = 2048;
const NO_LINES = new RawLines({ name: '', size: 0, async *read() {} });
const PLACE = /^line (\d{1,15})$/;

function problemsOf(lane: Lane): Pick<RawFacts, 'bad' | 'elsewhere'> {
  const bad = new Map<number, string>();
  const elsewhere: { place: string; what: string }[] = [];
  for (const { place, what } of lane.problems) {
    const line = PLACE.exec(place)?.[1];
    if (line === undefined) elsewhere.push({ place, what });
    else bad.set(Number(line), bad.has(Number(line)) ? `${bad.get(Number(line))}; ${what}` : what);
  }
  const inOrder = [...bad].sort(([a], [b]) => a - b).map(([line, what]) => ({ line, what }));
  return { bad: inOrder, elsewhere };
}

function ownLine(number: number, entry: Entry, max: number): RawLine {
  const text = entry.kind === 'event' ? entry.raw : entry.text;
  const isCut = text.length > max;
  return {
    number,
    text: isCut ? textHead(text, max) : text,
    bytes: utf8Length(text),
    isCut,
    ending: 'lf',
    faultAt: undefined,
  };
}
