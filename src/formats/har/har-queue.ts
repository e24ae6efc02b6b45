import type { ObjectView } from '../../json/object-view.ts';
import { LATEST_MS, parseTime } from '../../model/times.ts';
import type { CapturePass } from '../other-tools/foreign-capture.ts';
import { type TimedElement, TimeWindow } from '../time-window.ts';

/** A message, batch or event of an archive that waits until those before it are read. */
export interface HarItem extends TimedElement {
  /** The earliest time that it may have had, if the archive does not state its own time. */
  readonly sinceMs?: number | undefined;
  /** The item before it in the same stream, which it cannot precede. */
  readonly after?: HarItem | undefined;
  /** What the response to it names in `answers`, if it is a request. */
  readonly request?: string | undefined;
  readonly answers?: string | undefined;
  make(atMs: number): void;
}

/** Archives that overlap more than this are read in the order of their entries. */
const LIMITS = { items: 1 << 16, characters: 1 << 25 };

/**
 * Puts the messages of overlapping entries in order of time. A response follows its request, whatever their times: an
 * archive may state only when the stream with the request ended.
 */
export class HarQueue {
  readonly #window = new TimeWindow<HarItem>(LIMITS);
  readonly #requests = new Map<string, Set<HarItem>>();
  readonly #waiting = new Set<HarItem>();
  #startMs: number | undefined;

  /**
   * Begins an entry and returns when it started. Entries have to be passed in the order in which they started, or in
   * which their first messages were sent, if that was earlier.
   */
  begin(pass: CapturePass, entry: ObjectView, firstMs?: number): number {
    const startMs = parseTime(entry.string('startedDateTime') ?? '');
    if (startMs === undefined || Math.abs(startMs) > LATEST_MS) pass.notTime('startedDateTime');
    else this.#startMs = Math.round(startMs);
    this.#startMs ??= pass.atMs;
    this.#makeBefore(Math.min(this.#startMs, firstMs ?? this.#startMs));
    return this.#startMs;
  }

  /** Adds what creates a message, batch or event of the current entry. */
  put(pass: CapturePass, place: Omit<HarItem, 'make'>, create: () => void): HarItem {
    const later = pass.later(create);
    const make = (atMs: number): void => {
      pass.at(atMs, 'time');
      later();
    };
    const item = { ...place, make };
    this.#window.add(item);
    this.#waiting.add(item);
    if (item.request !== undefined) {
      const same = this.#requests.get(item.request) ?? new Set();
      this.#requests.set(item.request, same.add(item));
    }
    return item;
  }

  /** Makes the items that are earlier than every item to come. */
  #makeBefore(timeMs: number): void {
    this.#makeAll(this.#window.takeBefore(timeMs));
    this.#makeAll(this.#window.takeOverflow());
  }

  makeRest(): void {
    this.#makeAll(this.#window.takeAll());
  }

  #makeAll(items: readonly HarItem[]): void {
    for (const item of items) {
      if (!this.#waiting.has(item)) continue;
      const request = item.answers === undefined ? undefined : this.#requestFor(item.answers, item.atMs);
      if (request !== undefined) this.#makeStream(request, item.atMs);
      if (this.#waiting.has(item)) this.#make(item, item.atMs);
    }
  }

  /** Returns the oldest waiting request with this name that may have been sent by then. */
  #requestFor(name: string, byMs: number): HarItem | undefined {
    for (const item of this.#requests.get(name) ?? []) if ((item.sinceMs ?? byMs) <= byMs) return item;
    return undefined;
  }

  /** Makes the items of a stream up to and including this one. */
  #makeStream(last: HarItem, byMs: number): void {
    const items: HarItem[] = [];
    for (let item: HarItem | undefined = last; item && this.#waiting.has(item); item = item.after) items.push(item);
    for (const item of items.reverse()) this.#make(item, item.sinceMs === undefined ? item.atMs : byMs);
  }

  #make(item: HarItem, atMs: number): void {
    this.#waiting.delete(item);
    if (item.request !== undefined) {
      const same = this.#requests.get(item.request);
      same?.delete(item);
      if (same?.size === 0) this.#requests.delete(item.request);
    }
    item.make(atMs);
  }
}
