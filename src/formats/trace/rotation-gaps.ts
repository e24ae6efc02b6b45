import { ObjectView } from '../../json/object-view.ts';
import type { EventEntry } from '../../model/entry.ts';
import { PARTS_REMOVED } from '../../model/gap-reasons.ts';

/** Returns the part number in a meta line. `undefined` if the trace was never rotated. */
export function partNumberOf(meta: ObjectView): number | undefined {
  const part = meta.number('part');
  return part !== undefined && Number.isSafeInteger(part) && part >= 1 ? part : undefined;
}

/** Counts the entries of a rotated trace, and reports those in parts that no longer exist. */
export class RotationGaps {
  #entries = 0;
  #lastLine: string | undefined;
  #missed = 0;

  /** Counts a line that has a `seq`. */
  count(line: string): void {
    this.#entries++;
    this.#lastLine = line;
  }

  beginPart(meta: ObjectView): void {
    const before = meta.number('before');
    if (before === undefined || !Number.isSafeInteger(before)) return;
    // An unreadable line is not counted, but the number of the next line includes it.
    const known = Math.max(this.#entries, this.#entriesByNumber());
    this.#missed += Math.max(0, before - known);
    this.#entries = Math.max(known, before);
  }

  /** Whether there are missing entries that were not reported yet. */
  get hasGap(): boolean {
    return this.#missed > 0;
  }

  /** Creates the event that reports the missing entries. */
  report(atMs: number): EventEntry {
    const raw = JSON.stringify({ missed: this.#missed, why: PARTS_REMOVED });
    this.#missed = 0;
    return { kind: 'event', event: 'mcpreel.gap', atMs, raw };
  }

  #entriesByNumber(): number {
    const seq = this.#lastLine === undefined ? undefined : ObjectView.of(this.#lastLine)?.number('seq');
    return seq !== undefined && Number.isSafeInteger(seq) ? seq + 1 : 0;
  }
}
