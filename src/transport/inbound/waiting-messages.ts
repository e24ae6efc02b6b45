import type { JsonText } from '../../model/entry.ts';
import type { MessageDelivery, ServerMessageKind } from './inbound-transport.ts';

/** Limits for a client without an open stream. */
const MAX_MESSAGES = 1000;
const MAX_CHARACTERS = 16 << 20;

/** Queues messages for a client that has no open stream. Over the limits, the oldest are discarded first. */
export class UndeliveredMessages {
  readonly #onLost: (untold: ServerMessageKind) => void;
  #messages: ServerMessageKind[] = [];
  #characters = 0;

  constructor(onLost: (untold: ServerMessageKind) => void) {
    this.#onLost = onLost;
  }

  add(text: JsonText, delivery: MessageDelivery): void {
    this.#messages.push({ text, delivery });
    this.#characters += text.length;
    while (this.#messages.length > MAX_MESSAGES || this.#characters > MAX_CHARACTERS) this.#loseOldest();
  }

  takeAll(): ServerMessageKind[] {
    const messages = this.#messages;
    this.#messages = [];
    this.#characters = 0;
    return messages;
  }

  /** Discards all messages, and reports them as undelivered. */
  loseAll(): void {
    for (const untold of this.takeAll()) this.#onLost(untold);
  }

  #loseOldest(): void {
    const oldest = this.#messages.shift();
    if (oldest === undefined) return;
    this.#characters -= oldest.text.length;
    this.#onLost(oldest);
  }
}
