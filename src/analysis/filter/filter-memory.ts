import { inOwnMemory } from '../../json/own-memory.ts';
import type { MessageEntry } from '../../model/entry.ts';
import type { Filter } from './filter.ts';
import { type FilterCall, namesOf } from './filter-subject.ts';

/**
 * Remembers requests until their responses arrive, so that a filter can match a response by tool and method. It keeps
 * only requests that the filter names, because the filter treats all others like unknown requests.
 */
export class FilterMemory {
  readonly #filter: Pick<Filter, 'needsCalls' | 'names'>;
  readonly #open = new Map<string, FilterCall>();

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
    if (!this.#filter.names(call)) return call;
    this.#open.set(inOwnMemory(message.proxyId), {
      method: inOwnMemory(method),
      name: tool === undefined ? undefined : inOwnMemory(tool),
    });
    return call;
  }

  #answer(request: string): FilterCall | undefined {
    const call = this.#open.get(request);
    if (call !== undefined) this.#open.delete(request);
    return call;
  }
}
