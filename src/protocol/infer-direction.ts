import type { Direction, Envelope } from '../model/entry.ts';
import { idKey } from './envelope.ts';
import { usualSender } from './methods.ts';

/**
 * Tells who sent a message in a capture that does not say so.
 *
 * A method mostly tells. A `ping` may come from either side: it is the server's only where a request of the client's
 * with that id is open, because no side reuses an id that is still waiting. A response comes from the other side than
 * the request it answers, the server's open requests being answered first.
 */
export class DirectionInference {
  readonly #openOfClient = new Map<string | number, number>();
  readonly #openOfServer = new Map<string | number, number>();

  /** Takes the next message of the capture. */
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
