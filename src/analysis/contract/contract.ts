import { sliceAt } from '../../json/splice.ts';
import type { JsonText, MessageEntry } from '../../model/entry.ts';
import type { Call } from '../calls/call.ts';
import { readTree, type TreeRules, textOf, type ValueNode } from '../diff/value-tree.ts';

/** What a server offers. */
export type ContractSubject = 'tool' | 'prompt' | 'resource' | 'resource template';

/** One thing that a server offers, as it was listed. */
export interface ServerOffer {
  readonly node: ValueNode;
  /** The message that told. */
  readonly sequence: number;
}

/** All offers of one kind. */
export interface ContractListing {
  readonly offers: ReadonlyMap<string, ServerOffer>;
  /** Whether it was told to its end; what is not in it may be on a page that nobody asked for otherwise. */
  readonly isComplete: boolean;
}

/** What a server promised in a session: what it listed, and what it said of itself. */
export interface Contract {
  /** Only kinds that were listed. */
  readonly listings: ReadonlyMap<ContractSubject, ContractListing>;
  /** `capabilities`, `protocolVersion` and the like, as far as they were told. */
  readonly server: ReadonlyMap<string, ServerOffer>;
}

interface ListingMethod {
  readonly subject: ContractSubject;
  /** The member of the result that holds the offers. */
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

/** What a server says of itself, by the requests that ask for it. */
const INTRODUCTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['initialize', ['capabilities', 'protocolVersion', 'instructions']],
  ['server/discover', ['capabilities', 'supportedVersions', 'instructions']],
]);

const TOLD: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...[...LISTINGS].map(([method, { member }]): [string, ReadonlySet<string>] => [method, new Set([member])]),
  ...[...INTRODUCTIONS].map(([method, members]): [string, ReadonlySet<string>] => [method, new Set(members)]),
]);

/** Which members of a method's result belong to the contract, so that they are not compared as values, too. */
export function reportedByContract(method: string): ReadonlySet<string> | undefined {
  return TOLD.get(method);
}

interface OpenListing {
  readonly offers: Map<string, ServerOffer>;
  isComplete: boolean;
}

/** Gathers the contract of a session. Of what was listed more than once the last listing counts. */
export class ContractReader {
  readonly #rules: TreeRules;
  /** By subject and conversation: clients that ask at the same time are told page by page, each for itself. */
  readonly #listings = new Map<string, OpenListing & { readonly subject: ContractSubject }>();
  readonly #server = new Map<string, ServerOffer>();

  constructor({ profile, ignored }: TreeRules) {
    // The types that a schema names are values; by their shape all would be the same.
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
      const known = listings.get(subject);
      listings.set(subject, {
        offers: new Map([...(known?.offers ?? []), ...offers]),
        isComplete: isComplete && known?.isComplete !== false,
      });
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
    // A revision is volatile among values, and part of the contract here.
    const result = readTree(text, { ...this.#rules, profile: 'strict' })?.members.get('result');
    for (const member of members) {
      const node = result?.members.get(member);
      if (node !== undefined) this.#server.set(member, { node, sequence });
    }
  }
}

/** Whether a call asks for more of a listing that another one began. */
export function isFurtherPage({ method, request }: Call): boolean {
  return LISTINGS.has(method) && hasCursor(request.text, ['params', 'cursor']);
}

function hasCursor(text: JsonText, path: readonly string[]): boolean {
  const cursor = sliceAt(text, path);
  return cursor !== undefined && cursor !== 'null';
}

/** What a string says; the text of any other value. */
export function stringIn(node: ValueNode): string {
  const text = textOf(node);
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}
