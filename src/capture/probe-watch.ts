import type { Entry } from '../model/entry.ts';
import { envelopeOf } from '../protocol/envelope.ts';

/** What a client says that only wants to know which revisions a server speaks. */
const PROBING = new Set(['server/discover', 'notifications/cancelled']);

/**
 * Finds out whether a session is nothing but a probe: clients that know several revisions may start a server once to ask
 * and once more to talk.
 */
export class ProbeWatch {
  #requested = false;
  #talked = false;

  see(entries: readonly Entry[]): void {
    if (this.#talked) return;
    for (const entry of entries) {
      if (entry.kind !== 'message' || entry.direction !== 'client_to_server') continue;
      const { method = '' } = envelopeOf(entry);
      if (PROBING.has(method)) this.#requested ||= method === 'server/discover';
      else this.#talked = true;
    }
  }

  /** Whether the client has said anything else. */
  get hasTalked(): boolean {
    return this.#talked;
  }

  get isProbeOnly(): boolean {
    return this.#requested && !this.#talked;
  }
}
