import { elementsOf, ObjectView } from '../../json/object-view.ts';
import type { JsonText } from '../../model/entry.ts';
import type { Call } from '../calls/call.ts';

/** The definition of a tool in a `tools/list` response. */
export interface ToolDefinition {
  readonly name: string;
  /** As the server sent it. */
  readonly text: JsonText;
}

/** One page of a `tools/list` listing. */
export interface ToolPage {
  readonly tools: readonly ToolDefinition[];
  /** The text of the requested cursor; absent on the first page. */
  readonly cursor: JsonText | undefined;
  /** The text of the cursor of the next page; absent on the last page. */
  readonly nextCursor: JsonText | undefined;
}

/** The page that a call returned, if it is a successful `tools/list`. */
export function toolPageOf(call: Call): ToolPage | undefined {
  if (call.method !== 'tools/list' || call.direction !== 'client_to_server') return undefined;
  const result = call.answer && ObjectView.of(call.answer.text)?.object('result');
  const list = result?.textOf('tools') ?? '';
  const elements = elementsOf(list);
  if (result === undefined || elements === undefined) return undefined;
  const tools = elements.flatMap(({ start, end }) => definitionIn(list.slice(start, end)) ?? []);
  const params = ObjectView.of(call.request.text)?.object('params');
  return { tools, cursor: cursorIn(params, 'cursor'), nextCursor: cursorIn(result, 'nextCursor') };
}

function definitionIn(text: JsonText): ToolDefinition | undefined {
  const name = ObjectView.of(text)?.string('name');
  return name === undefined ? undefined : { name, text };
}

function cursorIn(view: ObjectView | undefined, key: string): JsonText | undefined {
  const text = view?.textOf(key);
  return text === 'null' ? undefined : text;
}

/** Tool definitions by name. */
export type ToolDefinitions = ReadonlyMap<string, JsonText>;

/** A limit, because a client that never requests the second page leaves its listing open. */
const MAX_OPEN = 100;

/** Combines the pages of `tools/list` listings, also of concurrent clients. */
export class ToolListings {
  /** The last complete listing. */
  complete: ToolDefinitions | undefined;
  /** The last page with the pages before it, complete or not. Grows in place with each further page. */
  latest: ToolDefinitions | undefined;
  /** Incomplete listings, by conversation and next cursor. Each is in here once, so it can grow in place. */
  readonly #open = new Map<string, Map<string, JsonText>>();

  take(call: Call): void {
    const page = toolPageOf(call);
    if (page === undefined) return;
    const key = (cursor: JsonText): string => `${call.conversation} ${cursor}`;
    const before = page.cursor === undefined ? undefined : this.#open.get(key(page.cursor));
    if (page.cursor !== undefined) this.#open.delete(key(page.cursor));
    const listing = before ?? new Map<string, JsonText>();
    for (const { name, text } of page.tools) listing.set(name, text);
    this.latest = listing;
    if (page.nextCursor !== undefined) this.#leaveOpen(key(page.nextCursor), listing);
    else if (page.cursor === undefined || before !== undefined) this.complete = listing;
  }

  #leaveOpen(key: string, listing: Map<string, JsonText>): void {
    this.#open.set(key, listing);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
  }
}
