/** The start and end of a call, as message sequences. */
export interface CallInterval {
  readonly start: number;
  /** Infinity for a call that never ended. */
  readonly end: number;
}

/** One call in two sessions. */
export interface TwoRuns {
  readonly a: CallInterval;
  readonly b: CallInterval;
}

/**
 * Returns the moved calls that really changed order. For each, another call ended before it began in one session, and
 * began after it ended in the other. Calls that overlap in either session have no order.
 */
export function reordered<T extends TwoRuns>(moved: readonly T[], all: readonly T[]): T[] {
  if (moved.length === 0) return [];
  const byEnd = [...all].sort((one, other) => one.a.end - other.a.end);
  const latestStart = running(byEnd, ({ b }) => b.start, Math.max);
  const byStart = [...all].sort((one, other) => other.a.start - one.a.start);
  const earliestEnd = running(byStart, ({ b }) => b.end, Math.min);
  return moved.filter(({ a, b }) => {
    const endedBefore = countWhile(byEnd, (other) => other.a.end < a.start);
    const beganAfter = countWhile(byStart, (other) => other.a.start > a.end);
    return (latestStart[endedBefore - 1] ?? -1) > b.end || (earliestEnd[beganAfter - 1] ?? Infinity) < b.start;
  });
}

/** The running maximum or minimum. */
function running<T>(
  items: readonly T[],
  numberOf: (item: T) => number,
  better: (a: number, b: number) => number,
): number[] {
  const best: number[] = [];
  for (const item of items) best.push(better(best.at(-1) ?? numberOf(item), numberOf(item)));
  return best;
}

/** The length of the prefix that passes, by binary search; no later item may pass. */
function countWhile<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && passes(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
