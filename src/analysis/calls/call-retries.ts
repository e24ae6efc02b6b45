import type { ObjectView } from '../../json/object-view.ts';
import { inOwnMemory } from '../../json/own-memory.ts';
import type { MessageEntry } from '../../model/entry.ts';
import { bodyOf, viewOf } from './call-reply.ts';
import type { OpenCall } from './open-call.ts';

/** A call whose last response asked for input. */
interface WaitingRetry {
  readonly call: OpenCall;
  /** The params that a retry must repeat. */
  readonly params: string;
}

/**
 * Links the retries of revision 2026-07-28 to the calls that they continue. A retry has a new id. It shares with the
 * earlier request the state that the server handed out, or else the params. If several calls could be meant, the retry
 * is not linked: a wrong link is worse than none.
 */
export class CallRetries {
  /** By method and by the state from the server, or by the params if there is no state. */
  readonly #waiting = new Map<string, WaitingRetry[]>();

  /** Records a call whose response asks for input. */
  add(call: OpenCall, answer: MessageEntry): void {
    const state = viewOf(answer, bodyOf(answer))?.textOf('requestState');
    const params = sharedParams(viewOf(call.lastRequest, bodyOf(call.lastRequest)));
    const key = keyOf(call.lastRequest, call.method, state ?? params, state !== undefined);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, [{ call, params }]);
    else waiting.push({ call, params });
  }

  /** Removes and returns the call that a request continues, if the request is a retry and the match is unambiguous. */
  claim(request: MessageEntry, method: string): OpenCall | undefined {
    if (this.#waiting.size === 0 || !MAY_RETRY.test(request.text)) return undefined;
    const view = viewOf(request, bodyOf(request));
    const state = view?.textOf('requestState');
    if (state === undefined && !view?.has('inputResponses')) return undefined;
    const params = sharedParams(view);
    const key = keyOf(request, method, state ?? params, state !== undefined);
    const waiting = this.#waiting.get(key) ?? [];
    const meant = waiting.length === 1 ? waiting : waiting.filter((one) => one.params === params);
    const [only] = meant;
    if (only === undefined || meant.length > 1) return undefined;
    if (waiting.length === 1) this.#waiting.delete(key);
    else waiting.splice(waiting.indexOf(only), 1);
    return only.call;
  }

  /** Returns the text that a retry shares with the request that it repeats; `undefined` if it is not a retry. */
  static repeatedBy(request: MessageEntry): string | undefined {
    const view = MAY_RETRY.test(request.text) ? viewOf(request, bodyOf(request)) : undefined;
    return view?.has('requestState') || view?.has('inputResponses') ? sharedParams(view) : undefined;
  }

  /** Returns the text that retries of a request repeat. */
  static repeatableIn(request: MessageEntry): string {
    return sharedParams(viewOf(request, bodyOf(request)));
  }

  *values(): Generator<OpenCall> {
    for (const waiting of this.#waiting.values()) for (const { call } of waiting) yield call;
  }
}

const MAY_RETRY = /"(?:requestState|inputResponses)"/;

function keyOf(request: MessageEntry, method: string, text: string, isState: boolean): string {
  const { direction, conversation = 0 } = request;
  const side = direction === 'client_to_server' ? 0 : 1;
  return inOwnMemory(`${side}${conversation} ${isState ? 's' : 'p'} ${JSON.stringify(method)} ${text}`);
}

/** The params without the members that differ between retries, independent of member order. */
function sharedParams(params: ObjectView | undefined): string {
  const shared: string[] = [];
  for (const { key, start, end } of params?.members ?? []) {
    const differs = key === 'inputResponses' || key === 'requestState' || key === '_meta';
    if (!differs) shared.push(`${JSON.stringify(key)}:${params?.text.slice(start, end)}`);
  }
  return inOwnMemory(shared.sort().join());
}
