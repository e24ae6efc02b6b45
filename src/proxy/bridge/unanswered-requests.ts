import { inOwnMemory } from '../../json/own-memory.ts';
import type { JsonText } from '../../model/entry.ts';
import { idKey } from '../../protocol/envelope.ts';

/** A request that a client waits for. */
interface UnansweredRequest {
  /** Its id as the client gave it, and as the target was told. */
  readonly own: JsonText;
  readonly sent: JsonText;
}

/** So many answers to what was asked in a client's place are kept from it. */
const MAX_OWN = 1000;

/** What a client still waits for, found by the ids that its target knows. */
export class UnansweredRequests {
  readonly #requested = new Map<string | number, UnansweredRequest>();
  /** How many have gone under another id. */
  #renamed = 0;
  /** What was asked in its place, whose answers are not for it. */
  readonly #own = new Set<string | number>();
  #allAnswered: () => void = () => undefined;

  add(id: JsonText): void {
    const own = inOwnMemory(id);
    this.#set({ own, sent: own });
  }

  /** The request of this id went under another. */
  rename(id: JsonText, sent: JsonText): void {
    const own = this.#take(id)?.own ?? inOwnMemory(id);
    this.#set({ own, sent: inOwnMemory(sent) });
  }

  /** Something was asked under this id in the client's place. */
  addOwn(id: JsonText): void {
    const key = idKey(id);
    // Where the client asks under the same id, nobody can tell the two answers apart.
    if (!this.#requested.has(key)) this.#own.add(key);
    const [oldest] = this.#own;
    if (this.#own.size > MAX_OWN && oldest !== undefined) this.#own.delete(oldest);
  }

  /** Whether an answer is to something that was asked in the client's place, which then has it. */
  removeOwn(id: JsonText): boolean {
    if (this.#own.size === 0) return false;
    const key = idKey(id);
    return !this.#requested.has(key) && this.#own.delete(key);
  }

  /** Nobody waits any more for what the target knows by this id. */
  remove(sentId: JsonText): void {
    if (this.#take(sentId) !== undefined && this.#requested.size === 0) this.#allAnswered();
  }

  /** The client's own id of what the target knows by this one, where that is another. */
  ownOf(sentId: JsonText): JsonText | undefined {
    if (this.#renamed === 0) return undefined;
    const requested = this.#requested.get(idKey(sentId));
    return requested === undefined || requested.own === requested.sent ? undefined : requested.own;
  }

  /** The id by which the target knows the client's request. */
  sentFor(ownId: JsonText): JsonText {
    if (this.#renamed === 0) return ownId;
    const key = idKey(ownId);
    return [...this.#requested.values()].find(({ own }) => idKey(own) === key)?.sent ?? ownId;
  }

  /** The ids of all that the client waits for, as it gave them. */
  ownIds(): JsonText[] {
    return [...this.#requested.values()].map(({ own }) => own);
  }

  /** Resolves when the client waits for nothing. */
  async none(): Promise<void> {
    if (this.#requested.size > 0) await new Promise<void>((resolve) => (this.#allAnswered = resolve));
  }

  #set(requested: UnansweredRequest): void {
    this.#take(requested.sent);
    this.#requested.set(idKey(requested.sent), requested);
    if (requested.own !== requested.sent) this.#renamed++;
  }

  #take(sentId: JsonText): UnansweredRequest | undefined {
    const key = idKey(sentId);
    const requested = this.#requested.get(key);
    if (requested === undefined) return undefined;
    this.#requested.delete(key);
    if (requested.own !== requested.sent) this.#renamed--;
    return requested;
  }
}
