import { Durations } from '../../../src/analysis/stats/durations.ts';
import type { Timeline } from './timeline.ts';

/** The number of entries of each kind, over all lanes. */
export interface TimelineCounts {
  readonly errors: number;
  readonly pending: number;
  /** Requests from servers. */
  readonly fromServer: number;
  readonly stderr: number;
  readonly noise: number;
  readonly changed: number;
  /** Of the calls that have a response. */
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
}

export function countTimeline(timeline: Timeline): TimelineCounts {
  const counts = { errors: 0, pending: 0, fromServer: 0, stderr: 0, noise: 0, changed: 0 };
  const durations = new Durations();
  for (const { entries, log } of timeline.lanes) {
    const { facts } = log;
    for (let index = 0; index < entries.length; index++) {
      if (!facts.isMessageAt(index)) {
        const event = facts.natureAt(index) === 'event' ? facts.eventAt(index) : undefined;
        if (event === 'stderr') counts.stderr++;
        if (event === 'noise') counts.noise++;
        continue;
      }
      if (facts.isChangedAt(index)) counts.changed++;
      const call = log.callAt(index);
      if (call === undefined ? !log.isOpenAt(index) : !call.isRequest) continue;
      if (facts.isFromServerAt(index)) counts.fromServer++;
      const status = call?.status ?? 'pending';
      if (status === 'error') counts.errors++;
      if (status === 'pending') counts.pending++;
      if (call?.durationMs !== undefined && status !== 'stream') durations.add(call.durationMs);
    }
  }
  const { p50Ms, p95Ms } = durations.percentiles();
  return { ...counts, p50Ms, p95Ms };
}
