import type { ObjectView } from '../../json/object-view.ts';
import { decodeString } from '../../json/scan.ts';
import { LATEST_MS, parseTime } from '../../model/times.ts';
import type { ReadReport } from '../format.ts';

/** Returns the time of an element: an ISO 8601 time, or epoch milliseconds. */
export function timeOfElement(view: ObjectView): number | undefined {
  const text = view.textOf('timestamp') ?? '';
  if (text.startsWith('"')) return parseTime(decodeString(text));
  const ms = view.number('timestamp');
  return ms !== undefined && Number.isInteger(ms) && Math.abs(ms) <= LATEST_MS ? ms : undefined;
}

/**
 * Determines the times of an export's elements, in order. An element without a time gets the previous element's time;
 * the first ones get the first known time. If no element has a time, the clock counts up.
 */
export class ElementClock {
  readonly #report: ReadReport;
  readonly #counts: boolean;
  #ms: number;

  constructor(firstMs: number | undefined, report: ReadReport) {
    this.#report = report;
    this.#counts = firstMs === undefined;
    this.#ms = firstMs ?? 0;
  }

  /** Returns the start time of the next element. */
  startOf(view: ObjectView, place: string): number {
    const statedMs = timeOfElement(view);
    if (statedMs === undefined && view.has('timestamp')) {
      this.#report({ place, what: '"timestamp" is not a time; the time before it is used', effect: 'repaired' });
    }
    if (this.#counts) return this.#ms++;
    this.#ms = statedMs ?? this.#ms;
    return this.#ms;
  }

  /** Returns the end time of the element. */
  endOf(view: ObjectView, startMs: number): number {
    if (this.#counts) return this.#ms++;
    const endMs = startMs + Math.max(0, Math.round(view.number('duration') ?? 0));
    return endMs <= LATEST_MS ? endMs : startMs;
  }
}
