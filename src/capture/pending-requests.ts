import type { Entry } from '../model/entry.ts';
import { envelopeOf, idKey } from '../protocol/envelope.ts';
import { idAt } from '../protocol/id-splice.ts';

/** Limits the memory for a server that answers nothing. */
const MAX_REMEMBERED = 10_000;

/** Tracks the client's requests that were neither answered nor cancelled. */
export class PendingRequests {
  readonly #open = new Set<string | number>();

  see(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.kind !== 'message') continue;
      const { kind, id, method } = envelopeOf(entry);
      if (entry.direction === 'server_to_client') {
        if (kind === 'response' && id !== undefined) this.#open.delete(idKey(id));
      } else if (kind === 'request' && id !== undefined) {
        if (this.#open.size < MAX_REMEMBERED) this.#open.add(idKey(id));
      } else if (method === 'notifications/cancelled') {
        const cancelled = idAt(entry.text, 'cancelled');
        if (cancelled !== undefined) this.#open.delete(idKey(cancelled));
      }
    }
  }

  get any(): boolean {
    return this.#open.size > 0;
  }
}
