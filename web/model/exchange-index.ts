import { exchangeIn } from '../../src/analysis/calls/call-reply.ts';
import { ObjectView } from '../../src/json/object-view.ts';
import type { Entry } from '../../src/model/entry.ts';
import type { Lane } from './timeline/lane.ts';

interface ExchangeIndex {
  readonly places: Map<number, number>;
  next: number;
}

const remembered = new WeakMap<Lane, ExchangeIndex>();

/** The index in a lane of the event that describes a message's HTTP exchange, once the exchange has ended. */
export function exchangePlace(lane: Lane, entry: Entry): number | undefined {
  const number = entry.kind === 'message' ? exchangeIn(entry.http) : undefined;
  return number === undefined ? undefined : indexed(lane).get(number);
}

function indexed(lane: Lane): ReadonlyMap<number, number> {
  const index = remembered.get(lane) ?? { places: new Map(), next: 0 };
  remembered.set(lane, index);
  for (; index.next < lane.entries.length; index.next++) {
    const entry = lane.entries[index.next];
    if (entry?.kind !== 'event' || entry.event !== 'http.exchange') continue;
    const number = exchangeIn(entry.raw);
    // A bridge also has exchanges with its target, with separate numbers.
    if (number !== undefined && ObjectView.of(entry.raw)?.has('side') === false) index.places.set(number, index.next);
  }
  return index.places;
}
