import { inOwnMemory } from '../../json/own-memory.ts';
import type { Direction, MessageEntry } from '../../model/entry.ts';
import { type MessageScope, type RequestKey, RequestTable } from '../../protocol/request-table.ts';
import { exchangeIn } from '../calls/call-reply.ts';
import { SeenIds } from '../calls/seen-ids.ts';

/**
 * The open requests of an import, which compares ids by its own rules: a number equals its text. In a transcript only
 * the id links a response to its request, so ids must be unique. In a recording of HTTP every exchange has its own ids,
 * and the recording contains the links.
 */
export class ImportRequests<T> {
  readonly #open = new RequestTable<T>();
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
    const scope = scopeOf(message, direction);
    const isLinked = scope.conversation !== undefined;
    this.#open.add(request, scope, keyOf(id), isLinked ? inOwnMemory(message.proxyId) : undefined);
  }

  /** Removes and returns the request that a response answers. */
  take(response: MessageEntry, direction: Direction, id: string | undefined): T | undefined {
    const { correlatedId } = response;
    const linked = correlatedId === undefined ? undefined : this.#open.linked(correlatedId);
    if (linked === undefined) return this.#open.answer(scopeOf(response, direction), id && keyOf(id));
    this.#open.remove(linked);
    return linked.request;
  }

  /** All open requests, in no particular order. */
  values(): Iterable<T> {
    return this.#open.values();
  }
}

/** An import knows no conversations; the ids of an HTTP exchange count in that exchange only. */
function scopeOf({ http }: MessageEntry, direction: Direction): MessageScope {
  const exchange = exchangeIn(http);
  return { direction, conversation: exchange === undefined ? undefined : exchange + 1 };
}

function keyOf(id: string): RequestKey {
  return /^(?:0|[1-9]\d{0,8})$/.test(id) ? Number(id) : id;
}
