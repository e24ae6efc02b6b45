import { inOwnMemory } from '../../json/own-memory.ts';
import { type Direction, type MessageEntry, opposite } from '../../model/entry.ts';
import { WaitingLists } from '../../protocol/waiting-lists.ts';
import { exchangeIn } from '../calls/call-reply.ts';
import { SeenIds } from '../calls/seen-ids.ts';

/** The key of an id: most are small integers, which take less memory than their text. */
type IdKey = string | number;

/** An open request and its key. */
interface WaitingRequests<T> {
  readonly key: IdKey;
  readonly request: T;
}

/**
 * The requests without a response so far. In a transcript only the id links a response to its request, so ids must be
 * unique. In a recording of HTTP every exchange has its own ids, and the recording contains the links.
 */
export class ImportRequests<T> {
  readonly #open = {
    client_to_server: new WaitingLists<IdKey, T>(),
    server_to_client: new WaitingLists<IdKey, T>(),
  };
  /** Requests from HTTP exchanges, by proxy id. */
  readonly #noted = new Map<string, WaitingRequests<T>>();
  readonly #seen = { client_to_server: new SeenIds(), server_to_client: new SeenIds() };
  /** The exchange of the last call, and the ids of its calls. */
  #exchange: number | undefined;
  #seenInExchange = new SeenIds();

  /** Records the id of a call; returns whether it is new. */
  isNew(message: MessageEntry, direction: Direction, id: string): boolean {
    const exchange = exchangeIn(message.http);
    if (exchange === undefined) return this.#seen[direction].add(keyOf(id));
    // The calls of an exchange are a batch, so they are adjacent.
    if (exchange !== this.#exchange) this.#seenInExchange = new SeenIds();
    this.#exchange = exchange;
    return this.#seenInExchange.add(keyOf(id));
  }

  add(message: MessageEntry, direction: Direction, id: string, request: T): void {
    const exchange = exchangeIn(message.http);
    const key = placeOf(id, exchange);
    this.#open[direction].add(key, request);
    if (exchange !== undefined) this.#noted.set(inOwnMemory(message.proxyId), { key, request });
  }

  /** Removes and returns the request that a response answers. */
  take(response: MessageEntry, direction: Direction, id: string | undefined): T | undefined {
    const { correlatedId } = response;
    const open = this.#open[opposite(direction)];
    const noted = correlatedId === undefined ? undefined : this.#noted.get(correlatedId);
    if (correlatedId !== undefined && noted !== undefined) {
      this.#noted.delete(correlatedId);
      return open.remove(noted.key, noted.request) ? noted.request : undefined;
    }
    return id === undefined ? undefined : open.take(placeOf(id, exchangeIn(response.http)));
  }

  /** All open requests, in no particular order. */
  *values(): Generator<T> {
    yield* this.#open.client_to_server.values();
    yield* this.#open.server_to_client.values();
  }
}

function placeOf(id: string, exchange: number | undefined): IdKey {
  return exchange === undefined ? keyOf(id) : `${exchange}:${id}`;
}

function keyOf(id: string): IdKey {
  return /^(?:0|[1-9]\d{0,8})$/.test(id) ? Number(id) : id;
}
