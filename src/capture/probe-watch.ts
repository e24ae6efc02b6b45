import type { Entry } from '../model/entry.ts';
import { envelopeOf } from '../protocol/envelope.ts';

/** Methods of a client that only asks which revisions a server supports. */
const PROBING = new Set(['server/discover', 'notifications/cancelled']);

/**
 * Detects sessions that are only a probe. Clients that support several revisions may start a server once to probe it
 * and again to use it.
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

  /** Whether the client has sent any other message. */
  get hasTalked(): boolean {
    return this.#talked;
  }

  get isProbeOnly(): boolean {
    return this.#requested && !this.#talked;
  }
}
