import { inOwnMemory } from '../../json/own-memory.ts';
import type { JsonText } from '../../model/entry.ts';
import { idKey } from '../../protocol/envelope.ts';

/** A request that waits for its answer. */
interface UnansweredRequest {
  /** Its id as the client sent it, and as the target received it. */
  readonly own: JsonText;
  readonly sent: JsonText;
}

/** How many injected requests are tracked, whose answers the client must not receive. */
const MAX_OWN = 1000;

/** Tracks a client's open requests by the ids that its target knows. */
export class UnansweredRequests {
  readonly #requested = new Map<string | number, UnansweredRequest>();
  /** The ids under which requests were sent, by the client's own ids, if those are different. */
  readonly #sentByOwn = new Map<string | number, JsonText>();
  /** How many requests were sent under another id. */
  #renamed = 0;
  /** Ids of injected requests, whose answers are not for the client. */
  readonly #own = new Set<string | number>();
  #allAnswered: () => void = () => undefined;

  add(id: JsonText): void {
    const own = inOwnMemory(id);
    this.#set({ own, sent: own });
  }

  /** The request with this id was sent under another one. */
  rename(id: JsonText, sent: JsonText): void {
    const own = this.#take(id)?.own ?? inOwnMemory(id);
    this.#set({ own, sent: inOwnMemory(sent) });
  }

  /** A request was injected under this id. */
  addOwn(id: JsonText): void {
    const key = idKey(id);
    // If the client uses the same id, the two answers are indistinguishable.
    if (!this.#requested.has(key)) this.#own.add(key);
    const [oldest] = this.#own;
    if (this.#own.size > MAX_OWN && oldest !== undefined) this.#own.delete(oldest);
  }

  /** Whether this id belongs to an injected request. If so, it is removed. */
  removeOwn(id: JsonText): boolean {
    if (this.#own.size === 0) return false;
    const key = idKey(id);
    return !this.#requested.has(key) && this.#own.delete(key);
  }

  /** The request that the target knows by this id is no longer open. */
  remove(sentId: JsonText): void {
    if (this.#take(sentId) !== undefined && this.#requested.size === 0) this.#allAnswered();
  }

  /** The client's own id, if the target knows the request by another one. */
  ownOf(sentId: JsonText): JsonText | undefined {
    if (this.#renamed === 0) return undefined;
    const requested = this.#requested.get(idKey(sentId));
    return requested === undefined || requested.own === requested.sent ? undefined : requested.own;
  }

  /** The id by which the target knows the client's request. */
  sentFor(ownId: JsonText): JsonText {
    if (this.#renamed === 0) return ownId;
    return this.#sentByOwn.get(idKey(ownId)) ?? ownId;
  }

  /** The ids of all open requests, as the client sent them. */
  ownIds(): JsonText[] {
    return [...this.#requested.values()].map(({ own }) => own);
  }

  /** Resolves when the client has no open request. */
  async none(): Promise<void> {
    if (this.#requested.size > 0) await new Promise<void>((resolve) => (this.#allAnswered = resolve));
  }

  #set(requested: UnansweredRequest): void {
    this.#take(requested.sent);
    this.#requested.set(idKey(requested.sent), requested);
    if (requested.own === requested.sent) return;
    this.#renamed++;
    this.#sentByOwn.set(idKey(requested.own), requested.sent);
  }

  #take(sentId: JsonText): UnansweredRequest | undefined {
    const key = idKey(sentId);
    const requested = this.#requested.get(key);
    if (requested === undefined) return undefined;
    this.#requested.delete(key);
    if (requested.own === requested.sent) return requested;
    this.#renamed--;
    const ownKey = idKey(requested.own);
    if (this.#sentByOwn.get(ownKey) === requested.sent) this.#sentByOwn.delete(ownKey);
    return requested;
  }
}
