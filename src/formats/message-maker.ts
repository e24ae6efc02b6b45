import { messageIdsOf } from '../model/derived-id.ts';
import type { Direction, JsonText, MessageEntry } from '../model/entry.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import { DirectionInference } from '../protocol/infer-direction.ts';
import { Pairing } from '../protocol/pairing.ts';

/** What a capture says of a message. */
export interface ReadMessage extends Partial<Omit<MessageEntry, 'kind' | 'sequence'>> {
  readonly text: JsonText;
  readonly atMs: number;
}

/**
 * Makes the messages of a capture by another tool: numbers and names them, pairs answers with their requests, and infers
 * the direction where the capture does not say it.
 */
export class MessageMaker {
  readonly #idOf: (n: number) => string;
  readonly #directions = new DirectionInference();
  readonly #pairing = new Pairing();
  #sequence = 0;

  constructor(sessionId: string) {
    this.#idOf = messageIdsOf(sessionId);
  }

  /** The number of the next message. */
  get next(): number {
    return this.#sequence;
  }

  make(seen: ReadMessage): MessageEntry {
    const sequence = this.#sequence++;
    const envelope = seen.envelope ?? readEnvelope(seen.text);
    const proxyId = seen.proxyId ?? this.#idOf(sequence);
    const direction: Direction = seen.direction ?? this.#directions.directionOf(envelope);
    const paired = this.#pairing.match({ proxyId, direction, conversation: seen.conversation }, envelope);
    const correlatedId = seen.correlatedId ?? paired;
    return { kind: 'message', ...seen, sequence, proxyId, direction, envelope, correlatedId };
  }
}
