import type { FilterCall } from '../analysis/filter/filter-subject.ts';
import { namesOf, saysFailure } from '../analysis/filter/filter-subject.ts';
import { decodeString } from '../json/scan.ts';
import type { JsonText } from '../model/entry.ts';
import { idKey, readEnvelope } from '../protocol/envelope.ts';
import { RequestTable, requestPlace } from '../protocol/request-table.ts';
import type { HeldMessage } from './held-message.ts';

interface OpenRequestFacts {
  readonly method: string;
  readonly name: string | undefined;
  readonly atMs: number;
}

/** How many unanswered requests are remembered. */
const MAX_OPEN = 10_000;

/** Remembers open requests, because a response alone names neither its method nor its tool. */
export class OpenRequests {
  readonly #open = new RequestTable<OpenRequestFacts>(MAX_OPEN);

  /** What is known about the call that a message belongs to. */
  callOf(message: HeldMessage): FilterCall | undefined {
    const { text, atMs } = message;
    const { kind, id, method = '' } = readEnvelope(text);
    if (id === undefined || (kind !== 'request' && kind !== 'response')) return undefined;
    if (kind === 'request') {
      const name = toolIn(text, atMs);
      this.#open.add({ method, name, atMs }, message, idKey(id));
      return { method, name };
    }
    const requested = this.#open.answer(message, idKey(id)) ?? this.#looselyAnswered(message, id);
    if (requested === undefined) return undefined;
    const status = saysFailure(text) ? 'error' : 'ok';
    return { method: requested.method, name: requested.name, status, durationMs: Math.max(0, atMs - requested.atMs) };
  }

  /** Some clients take any id that reads as the number of their request: `"1"` or `"0x1"`. */
  #looselyAnswered(message: HeldMessage, id: JsonText): OpenRequestFacts | undefined {
    const number = Number(textOf(id));
    if (!Number.isFinite(number)) return undefined;
    return this.#open.answer(message, idKey(`${number}`)) ?? this.#open.answer(message, idKey(`"${number}"`));
  }

  /** A message was edited. Its response will belong to the edited request. */
  edited(held: HeldMessage, text: JsonText): void {
    const { id } = readEnvelope(held.text);
    const place = id === undefined ? undefined : requestPlace(held.direction, held.conversation, idKey(id));
    for (const open of place === undefined ? [] : this.#open.at(place)) {
      if (open.request.atMs !== held.atMs) continue;
      this.#open.remove(open);
      break;
    }
    if (readEnvelope(text).kind === 'request') this.callOf({ ...held, text });
  }
}

function textOf(id: JsonText): string {
  return id.startsWith('"') ? decodeString(id) : id;
}

function toolIn(text: JsonText, atMs: number): string | undefined {
  return namesOf({ kind: 'message', sequence: 0, proxyId: '', atMs, direction: 'client_to_server', text }).tool;
}
