import type { Call } from '../../../src/analysis/calls/call.ts';
import { CallTracker } from '../../../src/analysis/calls/call-tracker.ts';
import { type EntryKey, indexOf } from '../entry-key.ts';
import type { Lane } from '../timeline/lane.ts';

/** A call may stay open for days, so the search stops after this many entries. */
const MAX_SEARCHED = 5000;

/** A call that is still open, as known so far, by its request. */
export function openCall(lane: Lane, request: EntryKey): Call | undefined {
  const from = indexOf(request);
  const entry = lane.entries.at(from);
  if (entry?.kind !== 'message') return undefined;
  const tracker = new CallTracker();
  for (const next of lane.entries.slice(from, from + MAX_SEARCHED)) tracker.take(next);
  return [...tracker.end()].find((call) => call.request.sequence === entry.sequence);
}
