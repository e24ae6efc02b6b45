import { kindOfName } from '../placeholder.ts';
import { BoundedMemory } from './bounded-memory.ts';
import { SEPARATORS } from './secret-names.ts';

/** The keys whose values the user wants redacted, whatever they are. Case and separators are ignored. */
export class KeyNames {
  readonly #own: ReadonlySet<string>;
  readonly #kinds = new BoundedMemory<string | undefined>();

  constructor(keys: readonly string[]) {
    this.#own = new Set(keys.map(plainName));
  }

  get none(): boolean {
    return this.#own.size === 0;
  }

  /** Returns the kind in the placeholder of the key's value, or `undefined` if the value stays. */
  kindOf(key: string): string | undefined {
    return this.#kinds.get(key, () => (this.#own.has(plainName(key)) ? kindOfName(key) : undefined));
  }
}

/** Returns a name in lower case and without separators. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(SEPARATORS, '');
}
