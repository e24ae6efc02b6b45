import type { Entry } from '../model/entry.ts';
import { envelopeOf, idKey } from '../protocol/envelope.ts';
import { idAt } from '../protocol/id-splice.ts';
import { RequestTable } from '../protocol/request-table.ts';

/** Limits the memory for a server that answers nothing. */
const MAX_REMEMBERED = 10_000;

const CLIENT = { direction: 'client_to_server' } as const;
const SERVER = { direction: 'server_to_client' } as const;

/** Tracks the client's requests that were neither answered nor cancelled. */
export class PendingRequests {
  readonly #open = new RequestTable<true>(MAX_REMEMBERED);

  see(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.kind !== 'message') continue;
      const { kind, id, method } = envelopeOf(entry);
      if (entry.direction === 'server_to_client') {
        if (kind === 'response' && id !== undefined) this.#open.answer(SERVER, idKey(id));
      } else if (kind === 'request' && id !== undefined) {
        this.#open.add(true, CLIENT, idKey(id));
      } else if (method === 'notifications/cancelled') {
        const cancelled = idAt(entry.text, 'cancelled');
        if (cancelled !== undefined) this.#open.answer(SERVER, idKey(cancelled));
      }
    }
  }

  get any(): boolean {
    return this.#open.size > 0;
  }
}
