import { inOwnMemory } from '../json/own-memory.ts';
import { type Direction, type Envelope, opposite } from '../model/entry.ts';
import { type EnvelopePeek, idKey } from './envelope.ts';
import { WaitingLists } from './waiting-lists.ts';

/** The fields of a message that pairing needs. */
export interface PairableMessage {
  readonly proxyId: string;
  readonly direction: Direction;
  readonly conversation?: number | undefined;
}

/**
 * Finds the request that a response answers. Ids are scoped by direction, conversation and type, because client and
 * server both count from 0. The first response wins; among open requests with the same id, the oldest is answered
 * first. Over HTTP, a server's response is matched first within its own exchange, then within its conversation.
 */
export class Pairing {
  readonly #open = new WaitingLists<string | number, string>();
  readonly #exchanges = new Map<number, Map<string | number, PairedRequest>>();

  /** Takes the next message; returns the proxy id of the request that it answers, if any. */
  match(message: PairableMessage, { kind, id }: Envelope): string | undefined {
    if (id === undefined) return undefined;
    const { proxyId, direction, conversation } = message;
    const kept = kind === 'request' ? inOwnMemory(proxyId) : proxyId;
    return this.matchPeek(kept, direction, { kind, key: idKey(id) }, conversation);
  }

  /** The same for a message of which only an `EnvelopePeek` was read. It stores the proxy id without copying it. */
  matchPeek(
    proxyId: string,
    direction: Direction,
    { kind, key }: EnvelopePeek,
    conversation: number | undefined = 0,
    exchange?: number | undefined,
  ): string | undefined {
    if (key === undefined) {
      const isRefusal = kind === 'response' && direction === 'server_to_client' && exchange !== undefined;
      return isRefusal ? this.#answerOnly(exchange) : undefined;
    }
    if (kind === 'request') this.#ask(proxyId, direction, key, conversation, exchange);
    return kind === 'response' ? this.#answer(direction, key, conversation, exchange) : undefined;
  }

  /** Forgets the requests of an HTTP exchange. Open ones can still be answered elsewhere in their conversation. */
  endExchange(exchange: number): void {
    this.#exchanges.delete(exchange);
  }

  #ask(
    proxyId: string,
    direction: Direction,
    key: string | number,
    conversation: number,
    exchange: number | undefined,
  ): void {
    const place = pairingKey(direction, conversation, key);
    this.#open.add(place, proxyId);
    if (exchange !== undefined && direction === 'client_to_server') this.#remember(exchange, key, { place, proxyId });
  }

  #answer(
    direction: Direction,
    key: string | number,
    conversation: number,
    exchange: number | undefined,
  ): string | undefined {
    if (exchange !== undefined && direction === 'server_to_client') {
      const requested = this.#exchanges.get(exchange)?.get(key);
      // After the request was answered, a second response must not consume another client's request with the same id.
      if (requested !== undefined) return this.#takeOpen(requested);
    }
    return this.#open.take(pairingKey(opposite(direction), conversation, key));
  }

  /** An error without an id answers the request of its exchange, if there was exactly one. */
  #answerOnly(exchange: number): string | undefined {
    const requested = this.#exchanges.get(exchange);
    const [only] = requested?.size === 1 ? requested.values() : [];
    return only?.requests.length === 1 ? this.#takeOpen(only) : undefined;
  }

  #remember(exchange: number, key: string | number, request: UnpairedRequest): void {
    const byKey = this.#exchanges.get(exchange) ?? new Map<string | number, PairedRequest>();
    this.#exchanges.set(exchange, byKey);
    const requested = byKey.get(key);
    if (requested === undefined) byKey.set(key, { requests: [request], taken: 0 });
    else requested.requests.push(request);
  }

  #takeOpen(requested: PairedRequest): string | undefined {
    while (requested.taken < requested.requests.length) {
      const { place, proxyId } = requested.requests[requested.taken++] as UnpairedRequest;
      if (this.#open.remove(place, proxyId)) return proxyId;
    }
    return undefined;
  }
}

/** The requests with one id in one HTTP exchange; more than one only in a batch that repeats an id. */
interface PairedRequest {
  readonly requests: UnpairedRequest[];
  taken: number;
}

interface UnpairedRequest {
  /** Its key among the open requests of its conversation. */
  readonly place: string | number;
  readonly proxyId: string;
}

function pairingKey(direction: Direction, conversation: number, key: string | number): string | number {
  const side = direction === 'client_to_server' ? 0 : 1;
  return typeof key === 'number' && conversation === 0 ? 2 * key + side : `${side}${conversation}:${key}`;
}
