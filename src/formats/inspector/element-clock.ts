import type { ObjectView } from '../../json/object-view.ts';
import { decodeString } from '../../json/scan.ts';
import { LATEST_MS, parseTime } from '../../model/times.ts';
import type { ReadReport } from '../format.ts';

/** When an element happened: an ISO 8601 time, or epoch milliseconds. */
export function timeOfElement(view: ObjectView): number | undefined {
  const text = view.textOf('timestamp') ?? '';
  if (text.startsWith('"')) return parseTime(decodeString(text));
  const ms = view.number('timestamp');
  return ms !== undefined && Number.isInteger(ms) && Math.abs(ms) <= LATEST_MS ? ms : undefined;
}

/**
 * Tells the times of the elements of an export, one after another. One without a time has that of the element before
 * it, the first ones that of the first that has one. Where none has, it counts.
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

  /** When the next element began. */
  startOf(view: ObjectView, place: string): number {
    const statedMs = timeOfElement(view);
    if (statedMs === undefined && view.has('timestamp')) {
      this.#report({ place, what: '"timestamp" is not a time; the time before it is used' });
    }
    if (this.#counts) return this.#ms++;
    this.#ms = statedMs ?? this.#ms;
    return this.#ms;
  }

  /** When what the element did was over. */
  endOf(view: ObjectView, startMs: number): number {
    if (this.#counts) return this.#ms++;
    const endMs = startMs + Math.max(0, Math.round(view.number('duration') ?? 0));
    return endMs <= LATEST_MS ? endMs : startMs;
  }
}
