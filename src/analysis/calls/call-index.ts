import { type Direction, type JsonText, type MessageEntry, opposite } from '../../model/entry.ts';
import { idKey } from '../../protocol/envelope.ts';
import { CallLists } from './call-lists.ts';
import type { OpenCall } from './open-call.ts';

/** How many calls may begin before open calls are copied out of the texts they were read from. */
const SWEEP_AFTER = 1024;

/** The maximum number of open calls, give or take one sweep. */
const MAX_OPEN = 100_000;

/**
 * Indexes the calls that wait for a response. Ids and progress tokens are scoped by direction, conversation and type,
 * because client and server both count from 0.
 */
export class CallIndex {
  readonly #byId = new CallLists<string | number>();
  readonly #byToken = new CallLists<string | number>();
  readonly #byExchange = new CallLists<number>();
  /** Open calls of clients, by conversation. */
  readonly #running = new CallLists<number>();
  /** Calls that began since the last sweep. */
  #begun = 0;
  #young = new Set<OpenCall>();

  /** Adds a call; returns whether it is the only one with its id. */
  add(call: OpenCall, id: JsonText): boolean {
    const { direction, conversation, exchange } = call;
    call.place = placeOf(direction, conversation, id);
    const isOnly = this.#byId.add(call.place, call);
    this.addToken(call);
    if (direction === 'client_to_server') {
      if (exchange !== undefined) this.#byExchange.add(exchange, call);
      if (!call.isStream) this.#running.add(conversation, call);
    }
    this.#young.add(call);
    return isOnly;
  }

  /** Removes and returns the oldest calls if too many are open. To be called after each added call. */
  sweep(): readonly OpenCall[] {
    if (++this.#begun % SWEEP_AFTER !== 0) return NONE;
    for (const call of this.#young) call.moveToOwnMemory();
    this.#young = new Set();
    const excess = this.#byId.size - MAX_OPEN;
    if (excess <= 0) return NONE;
    const oldest = [...take(this.#byId.values(), excess)];
    for (const call of oldest) this.remove(call);
    return oldest;
  }

  remove(call: OpenCall): void {
    const { place, direction, exchange } = call;
    this.#byId.remove(place, call);
    this.#young.delete(call);
    this.removeToken(call);
    if (direction === 'client_to_server') {
      if (exchange !== undefined) this.#byExchange.remove(exchange, call);
      this.rest(call);
    }
  }

  addToken(call: OpenCall): void {
    const { token, direction, conversation } = call;
    if (token !== undefined) this.#byToken.add(placeOf(direction, conversation, token), call);
  }

  removeToken(call: OpenCall): void {
    const { token, direction, conversation } = call;
    if (token !== undefined) this.#byToken.remove(placeOf(direction, conversation, token), call);
  }

  /** Excludes a call from those that new server messages may belong to. */
  rest(call: OpenCall): void {
    if (call.direction === 'client_to_server') this.#running.remove(call.conversation, call);
  }

  /** The call that a message answers according to the recording. */
  answeredBy(
    { correlatedId, direction, conversation = 0 }: MessageEntry,
    id: JsonText | undefined,
  ): OpenCall | undefined {
    if (correlatedId === undefined) return undefined;
    const isMeant = (call: OpenCall): boolean => call.lastRequest.proxyId === correlatedId;
    const likely =
      id === undefined ? undefined : this.#byId.find(placeOf(opposite(direction), conversation, id), isMeant);
    if (likely !== undefined) return likely;
    // An error may have no id, or come from another conversation.
    for (const call of this.#byId.values()) if (isMeant(call)) return call;
    return undefined;
  }

  /** The open calls with this id, oldest first. */
  at(place: string | number): readonly OpenCall[] {
    return this.#byId.of(place);
  }

  /** The call with this progress token, if it is unambiguous. */
  withToken(progress: MessageEntry, token: JsonText, exchange: number | undefined): OpenCall | undefined {
    const place = placeOf(opposite(progress.direction), progress.conversation ?? 0, token);
    const only = this.#byToken.only(place);
    if (only !== undefined || exchange === undefined) return only;
    const here = this.#byToken.of(place).filter((call) => call.exchange === exchange);
    return here.length === 1 ? here[0] : undefined;
  }

  inExchange(exchange: number): readonly OpenCall[] {
    return this.#byExchange.of(exchange);
  }

  /** The open call of the exchange, if there is exactly one. */
  onlyInExchange(exchange: number): OpenCall | undefined {
    return this.#byExchange.only(exchange);
  }

  /** The running call of a conversation's client, if there is exactly one. */
  onlyRunning(conversation: number): OpenCall | undefined {
    return this.#running.only(conversation);
  }

  values(): Iterable<OpenCall> {
    return this.#byId.values();
  }
}

const NONE: readonly OpenCall[] = [];

function* take(calls: Iterable<OpenCall>, count: number): Generator<OpenCall> {
  let left = count;
  for (const call of calls) {
    if (left-- <= 0) return;
    yield call;
  }
}

/** One key for an id or token, scoped by conversation and side. */
export function placeOf(direction: Direction, conversation: number, id: JsonText): string | number {
  const side = direction === 'client_to_server' ? 0 : 1;
  const key = idKey(id);
  return typeof key === 'number' && conversation === 0 ? 2 * key + side : `${side}${conversation}:${key}`;
}
