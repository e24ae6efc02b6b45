import type { OpenCall } from './open-call.ts';

/** Calls under a key. Nearly always there is one, so that only where there are more a set is made. */
export class CallLists<K> {
  readonly #byKey = new Map<K, OpenCall | Set<OpenCall>>();
  /** How many calls there are. */
  size = 0;

  /** Adds a call; tells whether it is the only one under its key. */
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

  /** Those under a key, in the order in which they came. */
  of(key: K): readonly OpenCall[] {
    const found = this.#byKey.get(key);
    if (found === undefined) return [];
    return found instanceof Set ? [...found] : [found];
  }

  /** The first under a key of which this holds. */
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

  /** The call under this key if it is the only one. */
  only(key: K): OpenCall | undefined {
    const found = this.#byKey.get(key);
    if (!(found instanceof Set)) return found;
    const [first] = found;
    return found.size === 1 ? first : undefined;
  }
}
