import type { Direction, Envelope } from '../model/entry.ts';
import { idKey } from './envelope.ts';
import { usualSender } from './methods.ts';

/**
 * Infers the sender of each message in a capture that does not record it.
 *
 * Most methods have only one possible sender. Both sides may send `ping`. It is the server's only if a client request
 * with the same id is open, because neither side reuses a pending id. A response comes from the receiver of the request
 * that it answers; the server's open requests are matched first.
 */
export class DirectionInference {
  readonly #openOfClient = new Map<string | number, number>();
  readonly #openOfServer = new Map<string | number, number>();

  /** Infers the direction of the next message of the capture. */
  directionOf(envelope: Envelope): Direction {
    const key = envelope.id === undefined ? undefined : idKey(envelope.id);
    if (envelope.kind === 'request' && key !== undefined) {
      const pingsBack = envelope.method === 'ping' && this.#openOfClient.has(key);
      const sender = pingsBack ? 'server_to_client' : usualSender(envelope.method ?? '');
      count(sender === 'client_to_server' ? this.#openOfClient : this.#openOfServer, key);
      return sender;
    }
    if (envelope.kind === 'notification') return usualSender(envelope.method ?? '');
    if (key !== undefined && uncount(this.#openOfServer, key)) return 'client_to_server';
    if (key !== undefined) uncount(this.#openOfClient, key);
    return 'server_to_client';
  }
}

function count(open: Map<string | number, number>, key: string | number): void {
  open.set(key, (open.get(key) ?? 0) + 1);
}

function uncount(open: Map<string | number, number>, key: string | number): boolean {
  const waiting = open.get(key);
  if (waiting === undefined) return false;
  if (waiting === 1) open.delete(key);
  else open.set(key, waiting - 1);
  return true;
}
