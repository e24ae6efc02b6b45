import { type Direction, opposite } from '../model/entry.ts';
import { KeyedLists } from './keyed-lists.ts';

/** A comparable id: the result of `idKey`, unless a format compares ids in its own way. */
export type RequestKey = string | number;

/** The side that sent a message, and where its id counts. */
export interface MessageScope {
  readonly direction: Direction;
  readonly conversation?: number | undefined;
  /** The HTTP exchange that the message arrived in. */
  readonly exchange?: number | undefined;
}

/** A request in the table. */
export interface OpenRequest<T> {
  readonly request: T;
  readonly place: RequestKey;
  readonly proxyId: string | undefined;
}

/**
 * The requests that wait for a response. A response is matched by its id, which is scoped by direction and conversation
 * because client and server both count from 0, or by the proxy id of the request that a recording links it to. The
 * first response wins; among open requests with the same id, the oldest is answered first. Over HTTP, a server's
 * response is matched first within its own exchange, then within its conversation.
 */
export class RequestTable<T> {
  readonly #max: number;
  readonly #byPlace = new KeyedLists<RequestKey, OpenRequest<T>>();
  /** Created when a response is not linked to the oldest request with its id. Most recordings never need it. */
  #byProxyId: KeyedLists<string, OpenRequest<T>> | undefined;
  readonly #exchanges = new Map<number, Map<RequestKey, ExchangeRequests<T>>>();

  /** Beyond `max` open requests, the oldest tenth is forgotten. */
  constructor(max: number = Number.POSITIVE_INFINITY) {
    this.#max = max;
  }

  get size(): number {
    return this.#byPlace.size;
  }

  /** Adds a request. If its proxy id is given, recorded links find it; the id must not be a slice of a longer text. */
  add(request: T, scope: MessageScope, key: RequestKey, proxyId?: string | undefined): OpenRequest<T> {
    const { direction, conversation, exchange } = scope;
    const open = { request, place: requestPlace(direction, conversation, key), proxyId };
    this.#byPlace.add(open.place, open);
    if (proxyId !== undefined) this.#byProxyId?.add(proxyId, open);
    if (exchange !== undefined && direction === 'client_to_server') this.#addToExchange(exchange, key, open);
    if (this.#byPlace.size > this.#max || this.#exchanges.size > this.#max) this.#forgetOldest();
    return open;
  }

  /**
   * Removes and returns the request that a response answers. A response without an id answers the request of its
   * exchange, if there was exactly one.
   */
  answer(response: MessageScope, key: RequestKey | undefined): T | undefined {
    const { direction, conversation, exchange } = response;
    if (exchange !== undefined && direction === 'server_to_client') {
      const requested = this.#exchanges.get(exchange);
      const here = key === undefined ? onlyOf(requested) : requested?.get(key);
      // After the request was answered, a second response must not consume another client's request with the same id.
      if (here !== undefined) return this.#takeOpen(here);
    }
    const open =
      key === undefined ? undefined : this.#byPlace.first(requestPlace(opposite(direction), conversation, key));
    if (open !== undefined) this.remove(open);
    return open?.request;
  }

  /** The open request with this proxy id. If a damaged recording has several, one at `place` is preferred. */
  linked(proxyId: string, place?: RequestKey | undefined): OpenRequest<T> | undefined {
    const likely = place === undefined ? undefined : this.#byPlace.first(place);
    if (likely?.proxyId === proxyId) return likely;
    const byProxyId = this.#byProxyId ?? this.#indexProxyIds();
    const first = byProxyId.first(proxyId);
    if (first === undefined || byProxyId.only(proxyId) === first) return first;
    for (const open of byProxyId.of(proxyId)) if (open.place === place) return open;
    return first;
  }

  /** Removes a request; returns whether it was open. */
  remove(open: OpenRequest<T>): boolean {
    if (open.proxyId !== undefined) this.#byProxyId?.remove(open.proxyId, open);
    return this.#byPlace.remove(open.place, open);
  }

  has(place: RequestKey): boolean {
    return this.#byPlace.first(place) !== undefined;
  }

  /** The open request that was added last at a place. */
  newestAt(place: RequestKey): T | undefined {
    return this.#byPlace.newest(place)?.request;
  }

  /** The open requests at a place, oldest first. */
  at(place: RequestKey): Iterable<OpenRequest<T>> {
    return this.#byPlace.of(place);
  }

  /** All open requests, those with the longest waiting ids first. */
  *values(): Generator<T> {
    for (const { request } of this.#byPlace.values()) yield request;
  }

  /** Forgets the requests of an HTTP exchange. Open ones can still be answered elsewhere in their conversation. */
  endExchange(exchange: number): void {
    this.#exchanges.delete(exchange);
  }

  #indexProxyIds(): KeyedLists<string, OpenRequest<T>> {
    const byProxyId = new KeyedLists<string, OpenRequest<T>>();
    for (const open of this.#byPlace.values()) if (open.proxyId !== undefined) byProxyId.add(open.proxyId, open);
    this.#byProxyId = byProxyId;
    return byProxyId;
  }

  #addToExchange(exchange: number, key: RequestKey, open: OpenRequest<T>): void {
    const byKey = this.#exchanges.get(exchange) ?? new Map<RequestKey, ExchangeRequests<T>>();
    this.#exchanges.set(exchange, byKey);
    const requested = byKey.get(key);
    if (requested === undefined) byKey.set(key, { requests: [open], taken: 0 });
    else requested.requests.push(open);
  }

  #takeOpen(requested: ExchangeRequests<T>): T | undefined {
    while (requested.taken < requested.requests.length) {
      const open = requested.requests[requested.taken++] as OpenRequest<T>;
      if (this.remove(open)) return open.request;
    }
    return undefined;
  }

  #forgetOldest(): void {
    const kept = Math.floor(0.9 * this.#max);
    for (const open of this.#byPlace.values()) {
      if (this.#byPlace.size <= kept) break;
      this.remove(open);
    }
    for (const exchange of this.#exchanges.keys()) {
      if (this.#exchanges.size <= kept) break;
      this.#exchanges.delete(exchange);
    }
  }
}

/** The requests with one id in one HTTP exchange; more than one only in a batch that repeats an id. */
interface ExchangeRequests<T> {
  readonly requests: OpenRequest<T>[];
  taken: number;
}

function onlyOf<T>(
  requested: ReadonlyMap<RequestKey, ExchangeRequests<T>> | undefined,
): ExchangeRequests<T> | undefined {
  const [only] = requested?.size === 1 ? requested.values() : [];
  return only?.requests.length === 1 ? only : undefined;
}

/** One key for an id or token of a side in a conversation. Small numbers, which most ids are, take the least memory. */
export function requestPlace(direction: Direction, conversation: number | undefined, key: RequestKey): RequestKey {
  const side = direction === 'client_to_server' ? 0 : 1;
  return typeof key === 'number' && !conversation ? 2 * key + side : `${side}${conversation ?? 0}:${key}`;
}
