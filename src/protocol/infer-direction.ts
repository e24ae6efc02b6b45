import type { Direction, Envelope } from '../model/entry.ts';
import { idKey } from './envelope.ts';
import { usualSender } from './methods.ts';
import { RequestTable, requestPlace } from './request-table.ts';

/**
 * Infers the sender of each message in a capture that does not record it.
 *
 * Most methods have only one possible sender. Both sides may send `ping`. It is the server's only if a client request
 * with the same id is open, because neither side reuses a pending id. A response comes from the receiver of the request
 * that it answers; the server's open requests are matched first.
 */
export class DirectionInference {
  readonly #open = new RequestTable<true>();

  /** Infers the direction of the next message of the capture. */
  directionOf(envelope: Envelope): Direction {
    const key = envelope.id === undefined ? undefined : idKey(envelope.id);
    if (envelope.kind === 'request' && key !== undefined) {
      const pingsBack = envelope.method === 'ping' && this.#open.has(requestPlace('client_to_server', 0, key));
      const direction = pingsBack ? 'server_to_client' : usualSender(envelope.method ?? '');
      this.#open.add(true, { direction }, key);
      return direction;
    }
    if (envelope.kind === 'notification') return usualSender(envelope.method ?? '');
    if (this.#open.answer({ direction: 'client_to_server' }, key)) return 'client_to_server';
    this.#open.answer({ direction: 'server_to_client' }, key);
    return 'server_to_client';
  }
}
