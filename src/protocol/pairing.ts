import { inOwnMemory } from '../json/own-memory.ts';
import type { Envelope } from '../model/entry.ts';
import { type EnvelopePeek, idKey } from './envelope.ts';
import { type MessageScope, RequestTable } from './request-table.ts';

/** The fields of a message that pairing needs. */
export interface PairableMessage extends MessageScope {
  readonly proxyId: string;
}

/** Finds the request that a response answers, by proxy id. The ids `1` and `"1"` differ, as on the wire. */
export class Pairing {
  readonly #open: RequestTable<string>;

  /** Beyond `max` open requests or exchanges, the oldest tenth is forgotten. */
  constructor(max?: number) {
    this.#open = new RequestTable(max);
  }

  /** Takes the next message; returns the proxy id of the request that it answers, if any. */
  match({ proxyId, direction, conversation, exchange }: PairableMessage, { kind, id }: Envelope): string | undefined {
    if (id === undefined) return undefined;
    const kept = kind === 'request' ? inOwnMemory(proxyId) : proxyId;
    return this.matchPeek(kept, { direction, conversation, exchange }, { kind, key: idKey(id) });
  }

  /** The same for a message of which only an `EnvelopePeek` was read. It stores the proxy id without copying it. */
  matchPeek(proxyId: string, scope: MessageScope, { kind, key }: EnvelopePeek): string | undefined {
    if (kind === 'response') return this.#open.answer(scope, key);
    if (kind === 'request' && key !== undefined) this.#open.add(proxyId, scope, key);
    return undefined;
  }

  /** Forgets the requests of an HTTP exchange. Open ones can still be answered elsewhere in their conversation. */
  endExchange(exchange: number): void {
    this.#open.endExchange(exchange);
  }
}
