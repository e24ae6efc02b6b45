import { messageIdsOf } from '../model/derived-id.ts';
import type { Direction, JsonText, MessageEntry } from '../model/entry.ts';
import { readEnvelope } from '../protocol/envelope.ts';
import { DirectionInference } from '../protocol/infer-direction.ts';
import { Pairing } from '../protocol/pairing.ts';

/** How responses find their requests: as the capture states, and by id where it does not; or only as it states. */
export type ResponsePairing = 'by-id' | 'as-stated';

/** The facts that a capture contains about a message. */
export interface ReadMessage extends Partial<Omit<MessageEntry, 'kind' | 'sequence'>> {
  readonly text: JsonText;
  readonly atMs: number;
}

/**
 * Creates the messages of another tool's capture. It assigns numbers and ids, pairs responses with requests, and infers
 * the direction if the capture does not state it.
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

  make(seen: ReadMessage, pairing: ResponsePairing = 'by-id'): MessageEntry {
    const sequence = this.#sequence++;
    const envelope = seen.envelope ?? readEnvelope(seen.text);
    const proxyId = seen.proxyId ?? this.#idOf(sequence);
    const direction: Direction = seen.direction ?? this.#directions.directionOf(envelope);
    const paired = this.#pairing.match({ proxyId, direction, conversation: seen.conversation }, envelope);
    const correlatedId = pairing === 'as-stated' ? seen.correlatedId : (seen.correlatedId ?? paired);
    return { kind: 'message', ...seen, sequence, proxyId, direction, envelope, correlatedId };
  }
}
