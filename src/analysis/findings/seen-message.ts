import { ObjectView } from '../../json/object-view.ts';
import type { Envelope, MessageEntry } from '../../model/entry.ts';
import { envelopeOf } from '../../protocol/envelope.ts';
import { VERSION_KEY } from '../../protocol/era.ts';
import { bodyOf, exchangeIn, viewOf } from '../calls/call-reply.ts';
import type { ConversationFacts, OpenExchange } from './facts.ts';

const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** A message as finders see it; values that several finders need are read lazily and once. */
export class FindingMessage {
  readonly entry: MessageEntry;
  readonly envelope: Envelope;
  /** The state of the conversation before this message. */
  readonly conversation: ConversationFacts;
  /** The message's HTTP exchange, if an earlier message opened it. */
  readonly exchange: OpenExchange | undefined;
  readonly exchangeNumber: number | undefined;
  #body: ObjectView | null | undefined;
  #meta: ObjectView | null | undefined;

  constructor(
    entry: MessageEntry,
    conversation: ConversationFacts,
    exchangeOf: (exchange: number) => OpenExchange | undefined,
  ) {
    this.entry = entry;
    this.envelope = envelopeOf(entry);
    this.conversation = conversation;
    this.exchangeNumber = exchangeIn(entry.http);
    this.exchange = this.exchangeNumber === undefined ? undefined : exchangeOf(this.exchangeNumber);
  }

  get isFromClient(): boolean {
    return this.entry.direction === 'client_to_server';
  }

  /** The params of a request or notification, or the result of a response, if it is an object. */
  get body(): ObjectView | undefined {
    if (this.#body === undefined) this.#body = viewOf(this.entry, bodyOf(this.entry)) ?? null;
    return this.#body ?? undefined;
  }

  /** The revision that the message itself names. */
  get revision(): string | undefined {
    return this.#metaView()?.string(VERSION_KEY);
  }

  /** Whether the message names the client's capabilities. */
  get namesCapabilities(): boolean {
    return this.#metaView()?.object(CAPABILITIES_KEY) !== undefined;
  }

  #metaView(): ObjectView | undefined {
    if (this.#meta === undefined) {
      // This check alone rules out most messages of the older era.
      const mayHave = this.envelope.method !== undefined && this.entry.text.includes('io.modelcontextprotocol');
      this.#meta = (mayHave && this.body?.object('_meta')) || null;
    }
    return this.#meta ?? undefined;
  }
}

/** The client capabilities that a request itself names. */
export function capabilitiesIn({ text }: MessageEntry): ObjectView | undefined {
  if (!text.includes('io.modelcontextprotocol')) return undefined;
  return ObjectView.of(text)?.object('params')?.object('_meta')?.object(CAPABILITIES_KEY);
}
