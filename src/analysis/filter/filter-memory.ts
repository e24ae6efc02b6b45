import { inOwnMemory } from '../../json/own-memory.ts';
import type { MessageEntry } from '../../model/entry.ts';
import { RequestTable } from '../../protocol/request-table.ts';
import type { Filter } from './filter.ts';
import { type FilterCall, keyOf, namesOf } from './filter-subject.ts';

/**
 * Remembers requests until their responses arrive, so that a filter can match a response by tool and method. It keeps
 * only requests that the filter names, because the filter treats all others like unknown requests.
 */
export class FilterMemory {
  readonly #filter: Pick<Filter, 'needsCalls' | 'names'>;
  readonly #open = new RequestTable<FilterCall>();

  constructor(filter: Pick<Filter, 'needsCalls' | 'names'>) {
    this.#filter = filter;
  }

  /** Takes the next message; returns the call that it begins or ends, if the filter needs it. */
  take(message: MessageEntry): FilterCall | undefined {
    if (!this.#filter.needsCalls) return undefined;
    return message.correlatedId === undefined ? this.#ask(message) : this.#answer(message.correlatedId);
  }

  #ask(message: MessageEntry): FilterCall | undefined {
    const { kind, method, tool } = namesOf(message);
    if (kind !== 'request' || method === undefined) return undefined;
    const call = { method, name: tool };
    const key = this.#filter.names(call) ? keyOf(message) : undefined;
    if (key === undefined) return call;
    const kept = { method: inOwnMemory(method), name: inOwnMemory(tool) };
    this.#open.add(kept, message, key, inOwnMemory(message.proxyId));
    return call;
  }

  #answer(request: string): FilterCall | undefined {
    const open = this.#open.linked(request);
    if (open !== undefined) this.#open.remove(open);
    return open?.request;
  }
}
