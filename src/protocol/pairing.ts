import { type Direction, type Envelope, opposite } from '../model/entry.ts';
import { idKey } from './envelope.ts';

/** What pairing needs to know of a message. */
export interface Pairable {
  readonly proxyId: string;
  readonly direction: Direction;
  readonly conversation?: number | undefined;
}

/** The open requests with one key, oldest first. A list, so that taking the first costs the same however many wait. */
interface Waiting {
  first: OpenRequest;
  last: OpenRequest;
}

interface OpenRequest {
  readonly proxyId: string;
  next: OpenRequest | undefined;
}

/**
 * Finds the request that a response answers. Ids count per direction, conversation and type, because client and server
 * both start from 0. The first response wins; of several open requests with one id the oldest is answered first.
 */
export class Pairing {
  readonly #open = new Map<string | number, Waiting>();

  /** Takes the next message and returns the proxy id of the request that it answers, if it answers one. */
  match(message: Pairable, envelope: Envelope): string | undefined {
    if (envelope.id === undefined) return undefined;
    if (envelope.kind === 'request') {
      const key = pairingKey(message.direction, message.conversation, envelope.id);
      const request: OpenRequest = { proxyId: inOwnMemory(message.proxyId), next: undefined };
      const waiting = this.#open.get(key);
      if (waiting === undefined) this.#open.set(key, { first: request, last: request });
      else {
        waiting.last.next = request;
        waiting.last = request;
      }
      return undefined;
    }
    if (envelope.kind !== 'response') return undefined;
    const key = pairingKey(opposite(message.direction), message.conversation, envelope.id);
    const waiting = this.#open.get(key);
    if (waiting === undefined) return undefined;
    const { proxyId, next } = waiting.first;
    if (next === undefined) this.#open.delete(key);
    else waiting.first = next;
    return proxyId;
  }
}

/** A slice would keep the whole message alive that it was cut from, for as long as its answer is awaited. */
function inOwnMemory(text: string): string {
  return ` ${text}`.slice(1);
}

function pairingKey(direction: Direction, conversation = 0, id: string): string | number {
  const side = direction === 'client_to_server' ? 0 : 1;
  const key = idKey(id);
  return typeof key === 'number' && conversation === 0 ? 2 * key + side : `${side}${conversation}:${key}`;
}
