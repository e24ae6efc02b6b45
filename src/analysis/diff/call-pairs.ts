import type { CallInterval } from './call-order.ts';
import type { ComparedCall } from './call-table.ts';

/** One call in two sessions. */
export interface CallPair {
  readonly a: ComparedCall;
  readonly b: ComparedCall;
}

/** Calls with the same key that are more than this many apart are assumed not to be concurrent. */
const REACH = 64;

/**
 * Returns the calls that were answered differently, given the differing pairs in order. Identical concurrent calls have
 * no order, so each is paired with a call that received the same response, if there is one.
 */
export function differingTwins(pairs: readonly CallPair[]): CallPair[] {
  const kinds = new Map<number, CallPair[]>();
  for (const pair of pairs) {
    const known = kinds.get(pair.a.key);
    if (known === undefined) kinds.set(pair.a.key, [pair]);
    else known.push(pair);
  }
  for (const twins of kinds.values()) exchangeAnswers(twins);
  return [...kinds.values()].flat().filter(differs);
}

function exchangeAnswers(twins: CallPair[]): void {
  for (const [place, pair] of twins.entries()) {
    if (!differs(pair)) continue;
    for (let other = Math.max(0, place - REACH); other <= place + REACH; other++) {
      const twin = twins[other];
      if (twin === undefined || !differs(twin) || twin.b.digest !== pair.a.digest || !ranAtOnce(pair, twin)) continue;
      twins[place] = { a: pair.a, b: twin.b };
      twins[other] = { a: twin.a, b: pair.b };
      break;
    }
  }
}

function differs({ a, b }: CallPair): boolean {
  return a.digest !== b.digest;
}

/** Whether two calls are concurrent in either session. */
function ranAtOnce(one: CallPair, other: CallPair): boolean {
  const isOneDialogue = one.a.conversation === other.a.conversation;
  return !isOneDialogue || overlap(one.a, other.a) || overlap(one.b, other.b);
}

function overlap(one: CallInterval, other: CallInterval): boolean {
  return one.start < other.end && other.start < one.end;
}
