import { inOwnMemory } from '../../json/own-memory.ts';
import { type Direction, type JsonText, type MessageEntry, opposite } from '../../model/entry.ts';
import { idKey } from '../../protocol/envelope.ts';
import { KeyedLists } from '../../protocol/keyed-lists.ts';
import { type RequestKey, RequestTable, requestPlace } from '../../protocol/request-table.ts';
import type { OpenCall } from './open-call.ts';

/** How many calls may begin before open calls are copied out of the texts they were read from. */
const SWEEP_AFTER = 1024;

/** The maximum number of open calls, give or take one sweep. */
const MAX_OPEN = 100_000;

/** Indexes the calls that wait for a response. Progress tokens are scoped like ids. */
export class CallIndex {
  readonly #open = new RequestTable<OpenCall>();
  readonly #byToken = new KeyedLists<RequestKey, OpenCall>();
  readonly #byExchange = new KeyedLists<number, OpenCall>();
  /** Open calls of clients, by conversation. */
  readonly #running = new KeyedLists<number, OpenCall>();
  /** Calls that began since the last sweep. */
  #begun = 0;
  #young = new Set<OpenCall>();

  /** Adds a call; returns the newest open call before it with the same id. */
  add(call: OpenCall, id: JsonText): OpenCall | undefined {
    const { direction, conversation, exchange, lastRequest } = call;
    const before = this.#open.newestAt(placeOf(direction, conversation, id));
    call.row = this.#open.add(call, { direction, conversation }, idKey(id), inOwnMemory(lastRequest.proxyId));
    this.addToken(call);
    if (direction === 'client_to_server') {
      if (exchange !== undefined) this.#byExchange.add(exchange, call);
      if (!call.isStream) this.#running.add(conversation, call);
    }
    this.#young.add(call);
    return before;
  }

  /** Removes and returns the oldest calls if too many are open. To be called after each added call. */
  sweep(): readonly OpenCall[] {
    if (++this.#begun % SWEEP_AFTER !== 0) return NONE;
    for (const call of this.#young) call.moveToOwnMemory();
    this.#young = new Set();
    const excess = this.#open.size - MAX_OPEN;
    if (excess <= 0) return NONE;
    const oldest = [...take(this.#open.values(), excess)];
    for (const call of oldest) this.remove(call);
    return oldest;
  }

  remove(call: OpenCall): void {
    const { row, direction, exchange } = call;
    if (row !== undefined) this.#open.remove(row);
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

  /** The call that a message answers according to the recording. An error may have no id. */
  answeredBy(message: MessageEntry, id: JsonText | undefined): OpenCall | undefined {
    const { correlatedId, direction, conversation = 0 } = message;
    if (correlatedId === undefined) return undefined;
    const place = id === undefined ? undefined : placeOf(opposite(direction), conversation, id);
    return this.#open.linked(correlatedId, place)?.request;
  }

  /** The oldest open call at a place. */
  oldestAt(place: RequestKey): OpenCall | undefined {
    const [oldest] = this.#open.at(place);
    return oldest?.request;
  }

  /** The call with this id that a notification cancels, if it is unambiguous. */
  cancelledBy({ direction, conversation = 0 }: MessageEntry, id: JsonText): OpenCall | undefined {
    let meant: OpenCall | undefined;
    for (const { request: call } of this.#open.at(placeOf(direction, conversation, id))) {
      if (call.isCancelled) continue;
      if (meant !== undefined) return undefined;
      meant = call;
    }
    return meant;
  }

  /** The call with this progress token, if it is unambiguous. */
  withToken(progress: MessageEntry, token: JsonText, exchange: number | undefined): OpenCall | undefined {
    const place = placeOf(opposite(progress.direction), progress.conversation ?? 0, token);
    const only = this.#byToken.only(place);
    if (only !== undefined || exchange === undefined) return only;
    const here = [...this.#byToken.of(place)].filter((call) => call.exchange === exchange);
    return here.length === 1 ? here[0] : undefined;
  }

  inExchange(exchange: number): readonly OpenCall[] {
    return [...this.#byExchange.of(exchange)];
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
    return this.#open.values();
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
export function placeOf(direction: Direction, conversation: number, id: JsonText): RequestKey {
  return requestPlace(direction, conversation, idKey(id));
}
