import type { ObjectView } from '../../json/object-view.ts';
import { inOwnMemory } from '../../json/own-memory.ts';
import type { MessageEntry } from '../../model/entry.ts';
import { bodyOf, viewOf } from './call-reply.ts';
import type { OpenCall } from './open-call.ts';

/** A call whose last answer wanted input. */
interface WaitingRetry {
  readonly call: OpenCall;
  /** What a retry must be equal in. */
  readonly params: string;
}

/**
 * Ties the retries of 2026-07-28 to the calls that they go on with. A retry has an id of its own; what it shares with the
 * request before it is the state that the server handed out, or else the params. Where several calls could be meant none
 * is taken, then or later: a wrong link is worse than none.
 */
export class CallRetries {
  /** By method and by the state that was handed out, or the params where none was. */
  readonly #waiting = new Map<string, WaitingRetry[]>();

  /** Notes a call whose answer wants input. */
  add(call: OpenCall, answer: MessageEntry): void {
    const state = viewOf(answer, bodyOf(answer))?.textOf('requestState');
    const params = sharedParams(viewOf(call.asked, bodyOf(call.asked)));
    const key = keyOf(call.asked, call.method, state ?? params, state !== undefined);
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, [{ call, params }]);
    else waiting.push({ call, params });
  }

  /** Removes and returns the call that a request goes on with, if it is a retry and there is no doubt. */
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

/** The params without what differs from one try to the next, whatever their order. */
function sharedParams(params: ObjectView | undefined): string {
  const shared: string[] = [];
  for (const { key, start, end } of params?.members ?? []) {
    const differs = key === 'inputResponses' || key === 'requestState' || key === '_meta';
    if (!differs) shared.push(`${JSON.stringify(key)}:${params?.text.slice(start, end)}`);
  }
  return inOwnMemory(shared.sort().join());
}
