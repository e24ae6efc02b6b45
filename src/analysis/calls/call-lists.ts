import type { OpenCall } from './open-call.ts';

/** A multimap of open calls. Nearly every key has one call, so a set is created only for more. */
export class CallLists<K> {
  readonly #byKey = new Map<K, OpenCall | Set<OpenCall>>();
  /** The total number of calls. */
  size = 0;

  /** Adds a call; returns whether it is the only one with its key. */
  add(key: K, call: OpenCall): boolean {
    this.size++;
    const found = this.#byKey.get(key);
    if (found === undefined) this.#byKey.set(key, call);
    else if (found instanceof Set) found.add(call);
    else this.#byKey.set(key, new Set([found, call]));
    return found === undefined;
  }

  remove(key: K, call: OpenCall): void {
    const found = this.#byKey.get(key);
    const isThere = found instanceof Set ? found.delete(call) : found === call;
    if (!isThere) return;
    this.size--;
    if (!(found instanceof Set) || found.size === 0) this.#byKey.delete(key);
  }

  /** The calls with a key, in insertion order. */
  of(key: K): readonly OpenCall[] {
    const found = this.#byKey.get(key);
    if (found === undefined) return [];
    return found instanceof Set ? [...found] : [found];
  }

  /** The first call with a key that satisfies the predicate. */
  find(key: K, holds: (call: OpenCall) => boolean): OpenCall | undefined {
    const found = this.#byKey.get(key);
    if (found instanceof Set) {
      for (const call of found) if (holds(call)) return call;
      return undefined;
    }
    return found !== undefined && holds(found) ? found : undefined;
  }

  *values(): Generator<OpenCall> {
    for (const found of this.#byKey.values()) {
      if (found instanceof Set) yield* found;
      else yield found;
    }
  }

  /** The call with this key, if there is exactly one. */
  only(key: K): OpenCall | undefined {
    const found = this.#byKey.get(key);
    if (!(found instanceof Set)) return found;
    const [first] = found;
    return found.size === 1 ? first : undefined;
  }
}
