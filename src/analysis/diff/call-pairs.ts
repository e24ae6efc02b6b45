import type { CallInterval } from './call-order.ts';
import type { ComparedCall } from './call-table.ts';

/** One call as it ran in two sessions. */
export interface CallPair {
  readonly a: ComparedCall;
  readonly b: ComparedCall;
}

/** Calls of one kind that are further apart than this many others of it did not run at the same time. */
const REACH = 64;

/**
 * Which calls were answered in another way, of those that differ when they are paired in order, as these are. Calls that ask
 * for the same at the same time have no order: each is paired with the one that was answered alike, if there is one.
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

/** Whether two calls have no order in one of the sessions. */
function ranAtOnce(one: CallPair, other: CallPair): boolean {
  const isOneDialogue = one.a.conversation === other.a.conversation;
  return !isOneDialogue || overlap(one.a, other.a) || overlap(one.b, other.b);
}

function overlap(one: CallInterval, other: CallInterval): boolean {
  return one.start < other.end && other.start < one.end;
}
