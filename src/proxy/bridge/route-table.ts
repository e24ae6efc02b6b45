import { ObjectView } from '../../json/object-view.ts';
import { inOwnMemory } from '../../json/own-memory.ts';
import { sliceAt } from '../../json/splice.ts';
import type { JsonText } from '../../model/entry.ts';
import { idKey } from '../../protocol/envelope.ts';
import { idAt } from '../../protocol/id-splice.ts';

/** Maps one request on a shared link back to its client. */
export interface Route<Lane> {
  readonly lane: Lane;
  /** The request's id as the client sent it, and as the target received it. */
  readonly id: JsonText;
  readonly sharedId: JsonText;
  /** The same for the request's progress token. */
  readonly token: { readonly own: JsonText; readonly shared: JsonText } | undefined;
  /** The request's revision and client info, needed to send a cancellation on its behalf. */
  readonly meta: JsonText | undefined;
  readonly wantsLogs: boolean;
}

const ENVELOPE_PREFIX = 'io.modelcontextprotocol/';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** The server may still answer abandoned requests, so their ids and tokens are not reused for a while. */
const MAX_ABANDONED = 1000;

/** Tracks the open requests of a shared link. */
export class RouteTable<Lane> {
  readonly #byId = new Map<string | number, Route<Lane>>();
  readonly #byToken = new Map<string | number, Route<Lane>>();
  readonly #abandonedIds = new AbandonedKeys();
  readonly #abandonedTokens = new AbandonedKeys();
  #replaced = 0;

  add(request: JsonText, id: JsonText, lane: Lane): Route<Lane> {
    const ownToken = idAt(request, 'wantedProgress');
    const metaText = sliceAt(request, ['params', '_meta']);
    const meta = metaText === undefined ? undefined : ObjectView.of(metaText);
    const route: Route<Lane> = {
      lane,
      id: inOwnMemory(id),
      sharedId: this.#freeId(id, (key) => this.#byId.has(key) || this.#abandonedIds.has(key)),
      token: ownToken === undefined ? undefined : this.#tokenFor(ownToken),
      meta: meta?.only((key) => key.startsWith(ENVELOPE_PREFIX)),
      wantsLogs: meta?.has(LOG_LEVEL) ?? false,
    };
    this.#byId.set(idKey(route.sharedId), route);
    if (route.token !== undefined) this.#byToken.set(idKey(route.token.shared), route);
    return route;
  }

  byId(sharedId: JsonText): Route<Lane> | undefined {
    return this.#byId.get(idKey(sharedId));
  }

  byToken(sharedToken: JsonText): Route<Lane> | undefined {
    return this.#byToken.get(idKey(sharedToken));
  }

  /** The requests that asked for log messages. */
  thatWantLogs(): Route<Lane>[] {
    return [...this.#byId.values()].filter(({ wantsLogs }) => wantsLogs);
  }

  of(lane: Lane): Route<Lane>[] {
    return [...this.#byId.values()].filter((route) => route.lane === lane);
  }

  lanes(): Set<Lane> {
    return new Set([...this.#byId.values()].map(({ lane }) => lane));
  }

  remove({ sharedId, token }: Route<Lane>): void {
    this.#byId.delete(idKey(sharedId));
    if (token !== undefined) this.#byToken.delete(idKey(token.shared));
  }

  /** The client no longer waits for the answer, but it may still arrive. */
  abandon(route: Route<Lane>): void {
    this.remove(route);
    this.#abandonedIds.add(idKey(route.sharedId));
    if (route.token !== undefined) this.#abandonedTokens.add(idKey(route.token.shared));
  }

  #tokenFor(own: JsonText): { own: JsonText; shared: JsonText } {
    const isTaken = (key: string | number): boolean => this.#byToken.has(key) || this.#abandonedTokens.has(key);
    return { own: inOwnMemory(own), shared: this.#freeId(own, isTaken) };
  }

  /** The id itself, or a free one of the same JSON type, because some servers accept only one type. */
  #freeId(id: JsonText, isTaken: (key: string | number) => boolean): JsonText {
    let free = inOwnMemory(id);
    while (isTaken(idKey(free))) {
      this.#replaced++;
      free = id.startsWith('"') ? `"mcpreel-${this.#replaced}"` : String(REPLACED_FROM + this.#replaced);
    }
    return free;
  }
}

/** Far above the ids that clients count up to, and still a 32-bit integer. */
const REPLACED_FROM = 1_000_000_000;

/** The most recent keys of abandoned requests. */
class AbandonedKeys {
  readonly #keys = new Set<string | number>();

  has(key: string | number): boolean {
    return this.#keys.has(key);
  }

  add(key: string | number): void {
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > MAX_ABANDONED && oldest !== undefined) this.#keys.delete(oldest);
  }
}
