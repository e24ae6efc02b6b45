import { type Direction, type Envelope, opposite } from '../model/entry.ts';
import { type Glance, idKey } from './envelope.ts';
import { WaitingLists } from './waiting-lists.ts';

/** What pairing needs to know of a message. */
export interface Pairable {
  readonly proxyId: string;
  readonly direction: Direction;
  readonly conversation?: number | undefined;
}

/**
 * Finds the request that a response answers. Ids count per direction, conversation and type, because client and server
 * both start from 0. The first response wins; of several open requests with one id the oldest is answered first.
 */
export class Pairing {
  readonly #open = new WaitingLists<string | number, string>();

  /** Takes the next message and returns the proxy id of the request that it answers, if it answers one. */
  match(message: Pairable, { kind, id }: Envelope): string | undefined {
    if (id === undefined) return undefined;
    const { proxyId, direction, conversation } = message;
    const kept = kind === 'request' ? inOwnMemory(proxyId) : proxyId;
    return this.matchGlance(kept, direction, { kind, key: idKey(id) }, conversation);
  }

  /** The same for a message that was only glanced at. Its proxy id is kept as it is. */
  matchGlance(
    proxyId: string,
    direction: Direction,
    { kind, key }: Glance,
    conversation: number | undefined = 0,
  ): string | undefined {
    if (key === undefined) return undefined;
    if (kind === 'response') return this.#open.take(pairingKey(opposite(direction), conversation, key));
    if (kind === 'request') this.#open.add(pairingKey(direction, conversation, key), proxyId);
    return undefined;
  }
}

/** A slice would keep the whole message alive that it was cut from, for as long as its answer is awaited. */
function inOwnMemory(text: string): string {
  return ` ${text}`.slice(1);
}

function pairingKey(direction: Direction, conversation: number, key: string | number): string | number {
  const side = direction === 'client_to_server' ? 0 : 1;
  return typeof key === 'number' && conversation === 0 ? 2 * key + side : `${side}${conversation}:${key}`;
}
