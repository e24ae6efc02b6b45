import type { TrueCall } from './call-truth.ts';

/** What an observer who sees only the messages can derive about open calls; nothing if several calls are possible. */

/** The client's call during which a server sends a message. */
export function servedCall(
  calls: readonly TrueCall[],
  conversation: number,
  exchange: number | undefined,
  method: string,
): TrueCall | undefined {
  const open = calls.filter(({ stage, direction }) => stage === 'open' && direction === 'client_to_server');
  const here = open.filter((call) => exchange !== undefined && call.exchange === exchange);
  if (here.length === 1) return here[0];
  const running = only(
    open.filter(
      (call) => call.conversation === conversation && !call.isCancelled && call.method !== 'subscriptions/listen',
    ),
  );
  const needsCall = method === 'elicitation/create' || method === 'sampling/createMessage';
  const comesHere = needsCall || exchange === undefined || running?.exchange === undefined || running.exchangeIsOver;
  return comesHere ? running : undefined;
}

/** The call that a cancellation names, which has the id of `like`. */
export function cancelledCall(calls: readonly TrueCall[], like: TrueCall): TrueCall | undefined {
  return only(
    calls.filter((call) => call.stage === 'open' && !call.isCancelled && isBeside(call, like) && call.id === like.id),
  );
}

/** The call to which progress with the token of `like` belongs. */
export function progressingCall(
  calls: readonly TrueCall[],
  like: TrueCall,
  exchange: number | undefined,
): TrueCall | undefined {
  const all = calls.filter(
    (call) => (call.stage === 'open' || call.stage === 'task') && isBeside(call, like) && call.token === like.token,
  );
  return only(all) ?? only(all.filter((call) => exchange !== undefined && call.exchange === exchange));
}

/** Whether a retry of this call can be matched unambiguously. */
export function canBeRetried(calls: readonly TrueCall[], call: TrueCall): boolean {
  const alike = calls.filter(
    (other) =>
      other.stage === 'wants-input' &&
      isBeside(other, call) &&
      other.state === call.state &&
      JSON.stringify(other.params) === JSON.stringify(call.params),
  );
  return alike.length === 1;
}

function isBeside(a: TrueCall, b: TrueCall): boolean {
  return a.direction === b.direction && a.conversation === b.conversation;
}

function only<T>(some: readonly T[]): T | undefined {
  return some.length === 1 ? some[0] : undefined;
}
