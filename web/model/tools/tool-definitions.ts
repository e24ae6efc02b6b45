import { elementsOf, ObjectView } from '../../../src/json/object-view.ts';
import type { JsonText } from '../../../src/model/entry.ts';
import type { Lane } from '../timeline/lane.ts';

/** The tools in one response to `tools/list`. */
interface ListingPage {
  readonly place: number;
  readonly tools: ReadonlyMap<string, JsonText>;
}

interface LaneListings {
  readonly pages: ListingPage[];
  next: number;
}

const remembered = new WeakMap<Lane, LaneListings>();

/** The server's definition of a tool, preferably from before this entry. Searched once, on demand. */
export function definitionOf(lane: Lane, tool: string, place: number): JsonText | undefined {
  const { pages } = listingsOf(lane);
  const holds = ({ tools }: ListingPage): boolean => tools.has(tool);
  const page = pages.findLast((one) => one.place < place && holds(one)) ?? pages.find(holds);
  return page?.tools.get(tool);
}

function listingsOf(lane: Lane): LaneListings {
  const listings = remembered.get(lane) ?? { pages: [], next: 0 };
  remembered.set(lane, listings);
  const { log, entries } = lane;
  for (; listings.next < log.listings.length; listings.next++) {
    const place = log.listings[listings.next] ?? -1;
    const entry = entries.at(place);
    if (entry?.kind === 'message' && entry.direction === 'server_to_client') {
      listings.pages.push({ place, tools: toolsIn(entry.text) });
    }
  }
  return listings;
}

function toolsIn(answer: JsonText): ReadonlyMap<string, JsonText> {
  const list = ObjectView.of(answer)?.object('result')?.textOf('tools') ?? '';
  const tools = new Map<string, JsonText>();
  for (const { start, end } of elementsOf(list) ?? []) {
    const text = list.slice(start, end);
    const name = ObjectView.of(text)?.string('name');
    if (name !== undefined) tools.set(name, text);
  }
  return tools;
}
