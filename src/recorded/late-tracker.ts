import type { Call } from '../analysis/calls/call.ts';
import { CallTracker } from '../analysis/calls/call-tracker.ts';
import type { Entry } from '../model/entry.ts';
import { envelopeOf } from '../protocol/envelope.ts';

const NONE: readonly Call[] = [];

/**
 * Tracks the calls of a session from the first message on that may belong to one beside its request and its answer. Many
 * sessions have no such message, and tracking takes as long as reading.
 */
export class LateTracker {
  #tracker: CallTracker | undefined;
  /** What was not looked at yet. */
  #kept: Entry[] = [];

  /** Takes the next entry; returns the calls that are known to be over with it. */
  take(entry: Entry): readonly Call[] {
    if (this.#tracker !== undefined) return this.#tracker.take(entry).calls;
    this.#kept.push(entry);
    return mayBelongToCall(entry) ? this.#begin() : NONE;
  }

  /** All that is still open; nothing of a session that has nothing to tell. */
  end(): Iterable<Call> {
    return this.#tracker?.end() ?? NONE;
  }

  #begin(): readonly Call[] {
    const tracker = new CallTracker();
    const calls = this.#kept.flatMap((entry) => tracker.take(entry).calls);
    this.#tracker = tracker;
    this.#kept = [];
    return calls;
  }
}

/** Whether it may be told or asked for a call, cancel one, or want to be asked again. */
function mayBelongToCall(entry: Entry): boolean {
  if (entry.kind !== 'message') return false;
  const { kind, method } = envelopeOf(entry);
  if (kind === 'response') return entry.text.includes('"input_required"');
  return method !== undefined && (entry.direction === 'server_to_client' || method === 'notifications/cancelled');
}
