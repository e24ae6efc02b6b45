import type { TimelineGap } from '../model/timeline/timeline.ts';

/** A selected time range. */
export type TimeRange = TimelineGap;

const NARROWEST = 0.002;

/** The range between two positions (0 to 1), in either order; a mere click selects nothing. */
export function rangeBetween(span: TimeRange, one: number, other: number): TimeRange | undefined {
  const [from, to] = [clamp(Math.min(one, other)), clamp(Math.max(one, other))];
  if (to - from < NARROWEST) return undefined;
  return { fromMs: timeAt(span, from), toMs: timeAt(span, to) };
}

/** The range with one of its ends moved to another position. */
export function moveEnd(span: TimeRange, range: TimeRange, end: 'fromMs' | 'toMs', place: number): TimeRange {
  const atMs = timeAt(span, clamp(place));
  const [a, b] = end === 'fromMs' ? [atMs, range.toMs] : [range.fromMs, atMs];
  return a < b ? { fromMs: a, toMs: b } : { fromMs: b, toMs: a + 1 };
}

/** The range moved by this fraction of its length, within the whole time. */
export function shift(span: TimeRange, range: TimeRange, part: number): TimeRange {
  const length = range.toMs - range.fromMs;
  const by = Math.min(Math.max(length * part, span.fromMs - range.fromMs), span.toMs - range.toMs);
  return { fromMs: range.fromMs + by, toMs: range.toMs + by };
}

/** The range zoomed around a time; undefined if it would cover the whole time. */
export function zoom(span: TimeRange, range: TimeRange, factor: number, centerMs: number): TimeRange | undefined {
  const fromMs = Math.max(span.fromMs, centerMs - (centerMs - range.fromMs) * factor);
  const toMs = Math.min(span.toMs, centerMs + (range.toMs - centerMs) * factor);
  if (fromMs <= span.fromMs && toMs >= span.toMs) return undefined;
  return toMs - fromMs < 1 ? range : { fromMs, toMs };
}

function timeAt(span: TimeRange, place: number): number {
  return span.fromMs + place * (span.toMs - span.fromMs);
}

const clamp = (place: number): number => Math.min(1, Math.max(0, place));
