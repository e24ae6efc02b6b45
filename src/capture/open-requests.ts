import type { FilterCall } from '../analysis/filter-subject.ts';
import { namesOf, saysFailure } from '../analysis/filter-subject.ts';
import { type Direction, type JsonText, opposite } from '../model/entry.ts';
import { idKey, readEnvelope } from '../protocol/envelope.ts';
import type { Arrival } from '../proxy/holding.ts';

interface Asked {
  readonly method: string;
  readonly name: string | undefined;
  readonly atMs: number;
}

/** So many requests that nobody answers are remembered. */
const MOST_OPEN = 10_000;

/** Remembers what was asked, so that an answer can be told by it: by itself it names neither a method nor a tool. */
export class OpenRequests {
  readonly #asked = new Map<string, Asked>();

  /** What is known of the call that a message belongs to. */
  callOf({ direction, text, atMs, conversation }: Arrival): FilterCall | undefined {
    const { kind, id, method } = readEnvelope(text);
    if (id === undefined || (kind !== 'request' && kind !== 'response')) return undefined;
    if (kind === 'request') return this.#ask(keyOf(direction, conversation, id), text, method ?? '', atMs);
    const key = keyOf(opposite(direction), conversation, id);
    const asked = this.#asked.get(key);
    if (asked === undefined) return undefined;
    this.#asked.delete(key);
    const status = saysFailure(text) ? 'error' : 'ok';
    return { method: asked.method, name: asked.name, status, durationMs: Math.max(0, atMs - asked.atMs) };
  }

  #ask(key: string, text: JsonText, method: string, atMs: number): FilterCall {
    const message = { kind: 'message', sequence: 0, proxyId: '', atMs, direction: 'client_to_server', text } as const;
    const name = namesOf(message).tool;
    this.#asked.set(key, { method, name, atMs });
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MOST_OPEN && oldest !== undefined) this.#asked.delete(oldest);
    return { method, name };
  }
}

function keyOf(direction: Direction, conversation: number, id: JsonText): string {
  const key = idKey(id);
  return `${direction} ${conversation} ${typeof key} ${key}`;
}
