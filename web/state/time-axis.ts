import type { TimelineGap } from '../model/timeline/timeline.ts';

/** Maps times to positions between 0 and 1; idle gaps may be folded to a sliver. */
export interface TimeAxis {
  at(ms: number): number;
  /** The time at a position between 0 and 1. */
  timeAt(place: number): number;
}

/** The fraction of the axis that a folded gap keeps. */
const SLIVER = 0.015;

export function timeAxis(fromMs: number, toMs: number, gaps: readonly TimelineGap[]): TimeAxis {
  const folded = gaps.filter((gap) => gap.fromMs >= fromMs && gap.toMs <= toMs);
  const idleMs = folded.reduce((sum, gap) => sum + gap.toMs - gap.fromMs, 0);
  const busyMs = Math.max(1, toMs - fromMs - idleMs);
  const sliverMs = (busyMs * SLIVER) / Math.max(0.1, 1 - SLIVER * folded.length);
  const total = busyMs + sliverMs * folded.length;
  const shrunk = (ms: number): number => {
    let place = Math.min(toMs, Math.max(fromMs, ms)) - fromMs;
    for (const gap of folded) {
      if (ms <= gap.fromMs) break;
      const inside = Math.min(ms, gap.toMs) - gap.fromMs;
      place += (inside / (gap.toMs - gap.fromMs)) * sliverMs - inside;
    }
    return place / total;
  };
  return {
    at: shrunk,
    timeAt(place) {
      let low = fromMs;
      let high = toMs;
      for (let step = 0; step < 60 && high - low > 0.01; step++) {
        const middle = (low + high) / 2;
        if (shrunk(middle) < place) low = middle;
        else high = middle;
      }
      return (low + high) / 2;
    },
  };
}
