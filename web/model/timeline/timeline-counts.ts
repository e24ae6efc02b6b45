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
    for (const entry of entries) {
      if (entry.kind === 'event') {
        if (entry.event === 'stdio.stderr') counts.stderr++;
        if (entry.event === 'stdio.noise') counts.noise++;
      }
      if (entry.kind !== 'message') continue;
      if (entry.modified || entry.dropped || entry.injected) counts.changed++;
      const outcome = log.outcomeOf(entry);
      const isRequest = outcome === undefined ? log.isOpenRequest(entry) : outcome.request === entry.sequence;
      if (!isRequest) continue;
      if (entry.direction === 'server_to_client') counts.fromServer++;
      const status = outcome?.status ?? 'pending';
      if (status === 'error') counts.errors++;
      if (status === 'pending') counts.pending++;
      if (outcome?.durationMs !== undefined && status !== 'stream') durations.add(outcome.durationMs);
    }
  }
  const { p50Ms, p95Ms } = durations.percentiles();
  return { ...counts, p50Ms, p95Ms };
}
