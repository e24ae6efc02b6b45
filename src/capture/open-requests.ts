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

/** So many requests that nobody answers are remembered. */
const MAX_OPEN = 10_000;

/** Remembers what was asked, so that an answer can be told by it: by itself it names neither a method nor a tool. */
export class OpenRequests {
  readonly #asked = new Map<string, OpenRequestFacts>();

  /** What is known of the call that a message belongs to. */
  callOf(arrival: IncomingMessage): FilterCall | undefined {
    const { text, atMs } = arrival;
    const { kind, id, method } = readEnvelope(text);
    if (id === undefined || (kind !== 'request' && kind !== 'response')) return undefined;
    if (kind === 'request') return this.#ask(keysOf(arrival, arrival.direction, id), text, method ?? '', atMs);
    // An answer belongs first to the exchange that it came in: clients of one conversation may use one id.
    const key = keysOf(arrival, opposite(arrival.direction), id).find((possible) => this.#asked.has(possible));
    const asked = key === undefined ? undefined : this.#asked.get(key);
    if (asked === undefined) return undefined;
    this.#forget(asked);
    const status = saysFailure(text) ? 'error' : 'ok';
    return { method: asked.method, name: asked.name, status, durationMs: Math.max(0, atMs - asked.atMs) };
  }

  /** A message went on as another than it came: its answer will be one to that. */
  sent(arrival: IncomingMessage): void {
    if (readEnvelope(arrival.text).kind === 'request') this.callOf(arrival);
  }

  #ask(keys: readonly string[], text: JsonText, method: string, atMs: number): FilterCall {
    const message = { kind: 'message', sequence: 0, proxyId: '', atMs, direction: 'client_to_server', text } as const;
    const name = namesOf(message).tool;
    const asked = { method, name, atMs, keys };
    for (const key of keys) this.#asked.set(key, asked);
    const [oldest] = this.#asked.values();
    if (this.#asked.size > MAX_OPEN && oldest !== undefined) this.#forget(oldest);
    return { method, name };
  }

  #forget(asked: OpenRequestFacts): void {
    for (const key of asked.keys) if (this.#asked.get(key) === asked) this.#asked.delete(key);
  }
}

/** What a request is found by, the surest first. */
function keysOf({ exchange, conversation }: IncomingMessage, direction: Direction, id: JsonText): string[] {
  const key = idKey(id);
  const name = `${direction} ${typeof key} ${key}`;
  const inConversation = `conversation ${conversation} ${name}`;
  return exchange === undefined ? [inConversation] : [`exchange ${exchange} ${name}`, inConversation];
}
