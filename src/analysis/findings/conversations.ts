import { ObjectView } from '../../json/object-view.ts';
import { inOwnMemory } from '../../json/own-memory.ts';
import type { JsonText } from '../../model/entry.ts';
import type { Call } from '../calls/call.ts';
import { type ToolDefinitions, toolPageOf } from '../contract/tool-listing.ts';
import type { ConversationFacts } from './facts.ts';
import type { FindingMessage } from './seen-message.ts';

type MutableFacts = { -readonly [K in keyof ConversationFacts]: ConversationFacts[K] } & {
  listedSinceChange: Set<string> | undefined;
  /** The same map as `tools`, if only this conversation uses it. */
  ownTools: Map<string, JsonText> | undefined;
};

const NO_TOOLS: ToolDefinitions = new Map();

/** A limit that no real server exceeds. */
const MAX_TOOLS = 10_000;

/** Tracks the state of each conversation of a session. Equal tool listings of several clients share memory. */
export class FindingConversations {
  readonly #byNumber = new Map<number, MutableFacts>();
  readonly #lists = new Map<JsonText, ToolDefinitions>();

  of(number: number | undefined = 0): ConversationFacts {
    return this.#factsOf(number);
  }

  all(): Iterable<ConversationFacts> {
    return this.#byNumber.values();
  }

  takeMessage({ entry, envelope, revision, isFromClient }: FindingMessage): void {
    const { method, kind } = envelope;
    if (method === undefined) return;
    const facts = this.#factsOf(entry.conversation);
    if (isFromClient && revision !== undefined) {
      facts.hasModern = true;
      facts.hasOnlyProbed &&= method === 'server/discover';
    }
    if (isFromClient && kind === 'request' && method === 'initialize' && facts.handshake === 'none') {
      facts.handshake = 'asked';
    } else if (isFromClient && method === 'notifications/initialized') facts.initialized = true;
    else if (!isFromClient && method === 'notifications/tools/list_changed') facts.listedSinceChange = new Set();
  }

  takeCall(call: Call): void {
    if (call.direction !== 'client_to_server') return;
    const facts = this.#factsOf(call.conversation);
    if (call.method === 'initialize') shakeHands(facts, call);
    else if (call.method === 'server/discover') {
      const capabilities = resultOf(call)?.textOf('capabilities');
      if (capabilities !== undefined) facts.serverCapabilities = inOwnMemory(capabilities);
    } else if (call.method === 'tools/list') this.#learnTools(facts, call);
  }

  #factsOf(number: number | undefined = 0): MutableFacts {
    const known = this.#byNumber.get(number);
    if (known !== undefined) return known;
    const facts: MutableFacts = {
      number,
      handshake: 'none',
      initialized: false,
      agreedRevision: undefined,
      hasModern: false,
      hasOnlyProbed: true,
      clientCapabilities: undefined,
      serverCapabilities: undefined,
      tools: NO_TOOLS,
      ownTools: undefined,
      listedSinceChange: undefined,
    };
    this.#byNumber.set(number, facts);
    return facts;
  }

  #learnTools(facts: MutableFacts, call: Call): void {
    const page = toolPageOf(call);
    if (page === undefined) return;
    const isWhole = page.cursor === undefined && page.nextCursor === undefined;
    const size = page.tools.reduce((sum, { text }) => sum + text.length, 0);
    const key = isWhole && size <= MAX_LIST ? page.tools.map(({ text }) => text).join(',') : undefined;
    const same = key === undefined ? undefined : this.#lists.get(key);
    if (same !== undefined) shareTools(facts, same);
    else {
      const own = isWhole ? new Map<string, JsonText>() : (facts.ownTools ?? new Map(facts.tools));
      addTools(own, page.tools);
      facts.tools = own;
      facts.ownTools = own;
      if (key !== undefined && this.#lists.size < MAX_LISTS) {
        this.#lists.set(key, own);
        shareTools(facts, own);
      }
    }
    for (const { name } of page.tools) {
      if ((facts.listedSinceChange?.size ?? MAX_TOOLS) < MAX_TOOLS) facts.listedSinceChange?.add(inOwnMemory(name));
    }
  }
}

/** Listings beyond these limits are not shared between conversations. */
const MAX_LISTS = 100;
const MAX_LIST = 1 << 20;

function shareTools(facts: MutableFacts, tools: ToolDefinitions): void {
  facts.tools = tools;
  facts.ownTools = undefined;
}

/** Adds the tools of a page in place: a copy for each page would take time that is quadratic in their number. */
function addTools(known: Map<string, JsonText>, listed: readonly { name: string; text: JsonText }[]): void {
  for (const { name, text } of listed) {
    if (known.size < MAX_TOOLS || known.has(name)) known.set(inOwnMemory(name), inOwnMemory(text));
  }
}

function shakeHands(facts: MutableFacts, call: Call): void {
  const result = resultOf(call);
  if (result === undefined) {
    if (facts.handshake === 'asked') facts.handshake = 'none';
    return;
  }
  facts.handshake = 'answered';
  facts.agreedRevision = inOwnMemory(result.string('protocolVersion'));
  facts.serverCapabilities = inOwnMemory(result.textOf('capabilities'));
  facts.clientCapabilities = inOwnMemory(ObjectView.of(call.request.text)?.object('params')?.textOf('capabilities'));
}

/** The result of a call, if it is an object. */
export function resultOf({ answer }: Call): ObjectView | undefined {
  return answer && ObjectView.of(answer.text)?.object('result');
}
