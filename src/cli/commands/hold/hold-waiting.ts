import type { HeldMessage } from '../../../intercept/held-message.ts';
import { ReelError } from '../../../model/errors.ts';

/** The held messages, and which of them already have a decision that is not confirmed yet. */
export class HoldWaiting {
  readonly #held = new Map<string, HeldMessage>();
  readonly #decided = new Set<string>();

  add(held: HeldMessage): void {
    this.#held.set(held.id, held);
  }

  remove(id: string): void {
    this.#held.delete(id);
    this.#decided.delete(id);
  }

  find(id: string): HeldMessage | undefined {
    return this.#held.get(id);
  }

  /** The given id, or that of the only undecided message. */
  claim(given: string | undefined): string {
    const undecided = [...this.#held.keys()].filter((id) => !this.#decided.has(id));
    const [only] = undecided;
    if (given === undefined && undecided.length !== 1) {
      const what = undecided.length === 0 ? 'No message is held' : `${undecided.length} messages are held`;
      throw new ReelError('usage', what, undecided.length === 0 ? {} : { hint: 'Add the `id` of one.' });
    }
    const id = given ?? only ?? '';
    this.#decided.add(id);
    return id;
  }

  /** The decision was rejected, so another one may follow. */
  unclaim(id: string): void {
    this.#decided.delete(id);
  }
}
