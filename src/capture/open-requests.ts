import type { FilterCall } from '../analysis/filter/filter-subject.ts';
import { namesOf, saysFailure } from '../analysis/filter/filter-subject.ts';
import type { IncomingMessage } from '../intercept/held-message.ts';
import { type Direction, type JsonText, opposite } from '../model/entry.ts';
import { idKey, readEnvelope } from '../protocol/envelope.ts';

interface OpenRequestFacts {
  readonly method: string;
  readonly name: string | undefined;
  readonly atMs: number;
  readonly keys: readonly string[];
}

/** How many unanswered requests are remembered. */
const MAX_OPEN = 10_000;

/** Remembers open requests, because a response alone names neither its method nor its tool. */
export class OpenRequests {
  readonly #requested = new Map<string, OpenRequestFacts>();

  /** What is known about the call that a message belongs to. */
  callOf(incoming: IncomingMessage): FilterCall | undefined {
    const { text, atMs } = incoming;
    const { kind, id, method } = readEnvelope(text);
    if (id === undefined || (kind !== 'request' && kind !== 'response')) return undefined;
    if (kind === 'request') return this.#ask(keysOf(incoming, incoming.direction, id), text, method ?? '', atMs);
    // The response's own exchange is checked first, because clients in one conversation may use the same id.
    const key = keysOf(incoming, opposite(incoming.direction), id).find((possible) => this.#requested.has(possible));
    const requested = key === undefined ? undefined : this.#requested.get(key);
    if (requested === undefined) return undefined;
    this.#forget(requested);
    const status = saysFailure(text) ? 'error' : 'ok';
    return { method: requested.method, name: requested.name, status, durationMs: Math.max(0, atMs - requested.atMs) };
  }

  /** A message was edited. Its response will belong to the edited request. */
  sent(incoming: IncomingMessage): void {
    if (readEnvelope(incoming.text).kind === 'request') this.callOf(incoming);
  }

  #ask(keys: readonly string[], text: JsonText, method: string, atMs: number): FilterCall {
    const message = { kind: 'message', sequence: 0, proxyId: '', atMs, direction: 'client_to_server', text } as const;
    const name = namesOf(message).tool;
    const requested = { method, name, atMs, keys };
    for (const key of keys) this.#requested.set(key, requested);
    const [oldest] = this.#requested.values();
    if (this.#requested.size > MAX_OPEN && oldest !== undefined) this.#forget(oldest);
    return { method, name };
  }

  #forget(requested: OpenRequestFacts): void {
    for (const key of requested.keys) if (this.#requested.get(key) === requested) this.#requested.delete(key);
  }
}

/** The keys that identify a request, the most specific first. */
function keysOf({ exchange, conversation }: IncomingMessage, direction: Direction, id: JsonText): string[] {
  const key = idKey(id);
  const name = `${direction} ${typeof key} ${key}`;
  const inConversation = `conversation ${conversation} ${name}`;
  return exchange === undefined ? [inConversation] : [`exchange ${exchange} ${name}`, inConversation];
}
