import { ObjectView } from '../../../src/json/object-view.ts';
import type { JsonText, MessageEntry } from '../../../src/model/entry.ts';
import { envelopeOf } from '../../../src/protocol/envelope.ts';
import { VERSION_KEY } from '../../../src/protocol/era.ts';
import { type EntryKey, keyOf } from '../entry-key.ts';
import type { Lane } from '../timeline/lane.ts';

/** What the client and the server of one conversation say about themselves. */
export interface ConversationSummary {
  readonly number: number;
  readonly messages: number;
  /** The source of these facts: `initialize`, `server/discover`, the metadata of requests, or none. */
  readonly how: 'initialize' | 'discover' | 'metadata' | 'unknown';
  /** The entry with these facts. */
  readonly key: EntryKey | undefined;
  /** The requested and the negotiated protocol revision. */
  readonly requestedVersion: string | undefined;
  readonly revision: string | undefined;
  /** Texts of objects. */
  readonly clientInfo: JsonText | undefined;
  readonly clientCapabilities: JsonText | undefined;
  readonly serverInfo: JsonText | undefined;
  readonly serverCapabilities: JsonText | undefined;
  readonly instructions: string | undefined;
}

type HandshakeFacts = { -readonly [K in keyof ConversationSummary]: ConversationSummary[K] };

const PREFIX = 'io.modelcontextprotocol/';

/** Collects the handshake facts of each conversation, message by message. */
export class SessionHandshakes {
  readonly #lane: Lane;
  readonly #byNumber = new Map<number, HandshakeFacts>();

  constructor(lane: Lane) {
    this.#lane = lane;
  }

  take(entry: MessageEntry, index: number): void {
    const facts = this.#of(entry.conversation ?? 0);
    facts.messages++;
    if (entry.direction !== 'client_to_server') return;
    const { method, kind } = envelopeOf(entry);
    if (kind === 'request' && method === 'initialize') this.#initialize(facts, entry, index);
    else if (kind === 'request' && method === 'server/discover') this.#discover(facts, entry, index);
    else if (facts.how === 'unknown' && entry.text.includes('io.modelcontextprotocol')) this.#meta(facts, entry, index);
  }

  result(): readonly ConversationSummary[] {
    return [...this.#byNumber.values()].sort((a, b) => a.number - b.number);
  }

  #of(number: number): HandshakeFacts {
    const known = this.#byNumber.get(number);
    if (known !== undefined) return known;
    const facts: HandshakeFacts = { ...NOTHING, number };
    this.#byNumber.set(number, facts);
    return facts;
  }

  #initialize(facts: HandshakeFacts, request: MessageEntry, index: number): void {
    const params = ObjectView.of(request.text)?.object('params');
    const result = this.#resultOf(request);
    facts.how = 'initialize';
    facts.key = keyOf(this.#lane.index, index);
    facts.requestedVersion = params?.string('protocolVersion');
    facts.revision = result?.string('protocolVersion');
    facts.clientInfo = params?.textOf('clientInfo');
    facts.clientCapabilities = params?.textOf('capabilities');
    this.#serverSide(facts, result);
  }

  #discover(facts: HandshakeFacts, request: MessageEntry, index: number): void {
    this.#meta(facts, request, index);
    const result = this.#resultOf(request);
    if (result === undefined) return;
    facts.how = 'discover';
    this.#serverSide(facts, result);
  }

  /** Since revision 2026-07-28, every request identifies its client. */
  #meta(facts: HandshakeFacts, request: MessageEntry, index: number): void {
    const meta = ObjectView.of(request.text)?.object('params')?.object('_meta');
    const revision = meta?.string(VERSION_KEY);
    if (meta === undefined || revision === undefined) return;
    facts.how = 'metadata';
    facts.key = keyOf(this.#lane.index, index);
    facts.requestedVersion = revision;
    facts.revision = revision;
    facts.clientInfo = meta.textOf(`${PREFIX}clientInfo`);
    facts.clientCapabilities = meta.textOf(`${PREFIX}clientCapabilities`);
  }

  #serverSide(facts: HandshakeFacts, result: ObjectView | undefined): void {
    const meta = result?.object('_meta');
    facts.serverInfo = result?.textOf('serverInfo') ?? meta?.textOf(`${PREFIX}serverInfo`);
    facts.serverCapabilities = result?.textOf('capabilities');
    facts.instructions = result?.string('instructions');
  }

  #resultOf(request: MessageEntry): ObjectView | undefined {
    const { log } = this.#lane;
    const answer = log.messageAt(log.outcomeOf(request)?.answer);
    return answer && ObjectView.of(answer.text)?.object('result');
  }
}

const NOTHING: Omit<HandshakeFacts, 'number'> = {
  messages: 0,
  how: 'unknown',
  key: undefined,
  requestedVersion: undefined,
  revision: undefined,
  clientInfo: undefined,
  clientCapabilities: undefined,
  serverInfo: undefined,
  serverCapabilities: undefined,
  instructions: undefined,
};
