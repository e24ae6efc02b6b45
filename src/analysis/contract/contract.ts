import { sliceAt } from '../../json/splice.ts';
import type { JsonText, MessageEntry } from '../../model/entry.ts';
import type { Call } from '../calls/call.ts';
import { readTree, type TreeRules, textOf, type ValueNode } from '../diff/value-tree.ts';

/** Collects what a server promised in a session: listings, capabilities and revisions. */

/** The kinds of things that a server offers. */
export type ContractSubject = 'tool' | 'prompt' | 'resource' | 'resource template';

/** One item that a server offers, as listed. */
export interface ServerOffer {
  readonly node: ValueNode;
  /** The sequence of the message that contains it. */
  readonly sequence: number;
}

/** All offers of one kind. */
export interface ContractListing {
  readonly offers: ReadonlyMap<string, ServerOffer>;
  /** Whether the last page was fetched. Otherwise, a missing item may be on a page that was not requested. */
  readonly isComplete: boolean;
}

/** What a server promised in a session: its listings and its introduction. */
export interface Contract {
  /** Only kinds that were listed. */
  readonly listings: ReadonlyMap<ContractSubject, ContractListing>;
  /** `capabilities`, `protocolVersion` and the like, if the session contains them. */
  readonly server: ReadonlyMap<string, ServerOffer>;
}

interface ListingMethod {
  readonly subject: ContractSubject;
  /** The member of the result that contains the offers. */
  readonly member: string;
  /** The member of an offer that names it. */
  readonly name: string;
}

const LISTINGS: ReadonlyMap<string, ListingMethod> = new Map([
  ['tools/list', { subject: 'tool', member: 'tools', name: 'name' }],
  ['prompts/list', { subject: 'prompt', member: 'prompts', name: 'name' }],
  ['resources/list', { subject: 'resource', member: 'resources', name: 'uri' }],
  ['resources/templates/list', { subject: 'resource template', member: 'resourceTemplates', name: 'uriTemplate' }],
]);

/** The members of a server's introduction, by request method. */
const INTRODUCTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['initialize', ['capabilities', 'protocolVersion', 'instructions']],
  ['server/discover', ['capabilities', 'supportedVersions', 'instructions']],
]);

const TOLD: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...[...LISTINGS].map(([method, { member }]): [string, ReadonlySet<string>] => [method, new Set([member])]),
  ...[...INTRODUCTIONS].map(([method, members]): [string, ReadonlySet<string>] => [method, new Set(members)]),
]);

/** The members of a method's result that belong to the contract, so that they are not compared as values as well. */
export function reportedByContract(method: string): ReadonlySet<string> | undefined {
  return TOLD.get(method);
}

interface OpenListing {
  readonly offers: Map<string, ServerOffer>;
  isComplete: boolean;
}

/** Collects the contract of a session. The last listing of an item counts. */
export class ContractReader {
  readonly #rules: TreeRules;
  /** By subject and conversation, because concurrent clients page through listings independently. */
  readonly #listings = new Map<string, OpenListing & { readonly subject: ContractSubject }>();
  readonly #server = new Map<string, ServerOffer>();

  constructor({ profile, ignored }: TreeRules) {
    // The types in a schema are values; compared by shape, they would all be equal.
    this.#rules = { profile: profile === 'strict' ? 'strict' : 'semantic', ignored };
  }

  take(call: Call): void {
    const { method, direction, answer } = call;
    if (answer === undefined || direction !== 'client_to_server') return;
    const listing = LISTINGS.get(method);
    const members = INTRODUCTIONS.get(method);
    if (listing !== undefined) this.#takePage(call, listing, answer);
    if (members !== undefined) this.#takeIntroduction(members, answer);
  }

  result(): Contract {
    const listings = new Map<ContractSubject, OpenListing>();
    for (const { subject, offers, isComplete } of this.#listings.values()) {
      const known: OpenListing = listings.get(subject) ?? { offers: new Map(), isComplete: true };
      for (const [name, offer] of offers) known.offers.set(name, offer);
      known.isComplete &&= isComplete;
      listings.set(subject, known);
    }
    return { listings, server: this.#server };
  }

  #takePage(call: Call, { subject, member, name }: ListingMethod, { text, sequence }: MessageEntry): void {
    const list = readTree(text, this.#rules)?.members.get('result')?.members.get(member);
    if (list === undefined) return;
    const key = `${subject} ${call.conversation}`;
    const known = isFurtherPage(call) ? this.#listings.get(key) : undefined;
    const listing = known ?? { subject, offers: new Map<string, ServerOffer>(), isComplete: false };
    for (const node of list.elements) {
      const named = node.members.get(name);
      if (named !== undefined) listing.offers.set(stringIn(named), { node, sequence });
    }
    listing.isComplete = !hasCursor(text, ['result', 'nextCursor']);
    this.#listings.set(key, listing);
  }

  #takeIntroduction(members: readonly string[], { text, sequence }: MessageEntry): void {
    // As a value the revision is volatile, but here it is part of the contract.
    const result = readTree(text, { ...this.#rules, profile: 'strict' })?.members.get('result');
    for (const member of members) {
      const node = result?.members.get(member);
      if (node !== undefined) this.#server.set(member, { node, sequence });
    }
  }
}

/** Whether a call requests a further page of a listing. */
export function isFurtherPage({ method, request }: Call): boolean {
  return LISTINGS.has(method) && hasCursor(request.text, ['params', 'cursor']);
}

function hasCursor(text: JsonText, path: readonly string[]): boolean {
  const cursor = sliceAt(text, path);
  return cursor !== undefined && cursor !== 'null';
}

/** The value of a string, or the text of any other value. */
export function stringIn(node: ValueNode): string {
  const text = textOf(node);
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}
