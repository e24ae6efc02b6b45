import type { Call } from '../analysis/calls/call.ts';
import { CallTracker } from '../analysis/calls/call-tracker.ts';
import type { Entry } from '../model/entry.ts';
import { envelopeOf } from '../protocol/envelope.ts';

const NONE: readonly Call[] = [];

/**
 * Tracks the calls of a session, starting with the first message that may belong to a call besides its request and
 * response. Many sessions have no such message, and tracking takes as long as reading.
 */
export class LateTracker {
  #tracker: CallTracker | undefined;
  /** Entries that have not been tracked yet. */
  #kept: Entry[] = [];

  /** Adds the next entry; returns the calls that it completes. */
  take(entry: Entry): readonly Call[] {
    if (this.#tracker !== undefined) return this.#tracker.take(entry).calls;
    this.#kept.push(entry);
    return mayBelongToCall(entry) ? this.#begin() : NONE;
  }

  /** The calls that are still open; none if no tracking was needed. */
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

/**
 * Whether a message may belong to a call: a server request or notification, a cancellation, or an `input_required`
 * result.
 */
function mayBelongToCall(entry: Entry): boolean {
  if (entry.kind !== 'message') return false;
  const { kind, method } = envelopeOf(entry);
  if (kind === 'response') return entry.text.includes('"input_required"');
  return method !== undefined && (entry.direction === 'server_to_client' || method === 'notifications/cancelled');
}
